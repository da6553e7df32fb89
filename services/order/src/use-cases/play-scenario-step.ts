import { SANDBOX_RIDER } from '@svc/credentials'
import { ERRORS, ServiceError } from '@svc/errors'
import { type By, type Caller, systemBy } from '@svc/grpc'
import { cancelOrder } from '../changes/cancel-order.ts'
import { updateRiderOrderStatus } from '../changes/update-rider-order-status.ts'
import type { Context } from '../context.ts'
import { findOrder } from '../db/orders.ts'
import { type ClaimedStep, claimStep, endStep, postponeStep } from '../db/scenario-steps.ts'
import { NO_CASH_REPORT } from '../domain/cash.ts'
import { along, type ScenarioStep, stepsOf } from '../domain/scenario.ts'

/** Longer than any step takes. */
const LEASE_SECONDS = 30
const TRY_AGAIN_SECONDS = 2

/**
 * Plays the step of a scenario that has been due longest; false when none is due. The step is marked once it is known
 * what came of it: where a process dies before that it is played again, and what was done before changes nothing then.
 */
export async function playScenarioStep(ctx: Context): Promise<boolean> {
  const claimed = await ctx.transact('every tenant', (tx) => claimStep(tx, LEASE_SECONDS))
  if (!claimed) return false
  const step = stepsOf(claimed.scenario)[claimed.step - 1]
  try {
    const error = step ? await refusalOf(ctx, claimed, step) : 'not_found'
    ctx.failpoint('scenario step played')
    const goesOn = (error !== null) === (step?.isRefused === true)
    await ctx.transact('every tenant', (tx) => endStep(tx, claimed, { error, goesOn }))
  } catch (err) {
    ctx.logger.warn({ err, order_id: claimed.orderId, step: claimed.step }, 'a step of a scenario stays due')
    await ctx.transact('every tenant', (tx) => postponeStep(tx, claimed, TRY_AGAIN_SECONDS))
  }
  return true
}

/** Plays the step; answers the code of what refused it, or null. Throws where that cannot be told. */
async function refusalOf(ctx: Context, claimed: ClaimedStep, step: ScenarioStep): Promise<string | null> {
  try {
    await play(ctx, claimed, step)
    return null
  } catch (error) {
    if (!(error instanceof ServiceError) || ERRORS[error.code].http >= 500) throw error
    return error.code
  }
}

async function play(ctx: Context, claimed: ClaimedStep, step: ScenarioStep): Promise<void> {
  const { orderId, merchantId } = claimed
  switch (step.by) {
    case 'dispatch': {
      const act = {
        orderId,
        merchantId,
        act: step.act,
        // Until the answer comes.
        stayMs: claimed.nextInMs,
        point: step.act === 'report' ? await pointOf(ctx, orderId, step.share) : null,
        code: step.act === 'prove' ? step.code : null,
      }
      await ctx.dispatch.playSandboxRider(act)
      break
    }
    case 'rider':
      await updateRiderOrderStatus(ctx, asSandboxRider(merchantId), {
        orderId,
        status: step.status,
        reason: step.reason ?? null,
        photoStorageKey: null,
        clientEventId: `scenario:${orderId}:${claimed.step}`,
        point: null,
        occurredAt: null,
        cash: step.isUnpaid && (await wantsCash(ctx, orderId)) ? { collectedMinor: 0, reason: null } : NO_CASH_REPORT,
      })
      break
    case 'merchant': {
      const reason = 'customer_cancellation_requested'
      await cancelOrder(ctx, asMerchant(claimed), { orderId, reason, notes: null })
    }
  }
}

const wantsCash = (ctx: Context, orderId: string): Promise<boolean> =>
  ctx.transact('every tenant', async (tx) => (await findOrder(tx.em, 'every tenant', orderId)).wantsCash())

function pointOf(ctx: Context, orderId: string, share: number) {
  return ctx.transact('every tenant', async (tx) => {
    const { pickupLat, pickupLng, dropoffLat, dropoffLng } = await findOrder(tx.em, 'every tenant', orderId)
    if (pickupLat === null || pickupLng === null || dropoffLat === null || dropoffLng === null) return null
    return along({ lat: pickupLat, lng: pickupLng }, { lat: dropoffLat, lng: dropoffLng }, share)
  })
}

/** The shared rider of the sandbox, bound to the merchant as a token of its test key would be. */
const asSandboxRider = (merchantId: string): By =>
  acting({ kind: 'rider', actor: { type: 'rider', id: SANDBOX_RIDER.id }, merchantId })

/** Who started the scenario. */
const asMerchant = ({ merchantId, startedBy }: ClaimedStep): By =>
  acting({ kind: 'merchant', actor: startedBy, merchantId })

function acting(who: Pick<Caller, 'kind' | 'actor'> & { merchantId: string }): By {
  const { caller, ...by } = systemBy('order')
  return { ...by, caller: { ...caller, ...who, isTest: true }, scope: { merchantId: who.merchantId, isTest: true } }
}
