import { ERRORS, type ErrorCode, ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { type PaymentEvent, parsePaymentEvent } from '@svc/payments'
import type { Context } from '../../context.ts'
import { merchantOfCustomer } from '../../db/payment-customers.ts'
import { claimWaitingHook, IDENTIFICATION, lockWaitingHook, type WaitingHook } from '../../db/waiting-hooks.ts'
import { ignored, type Judgement, refused } from '../../domain/judgement.ts'
import { settleHook } from './take-hook.ts'

/** Longer than admin is waited for. */
const LEASE_MS = 30_000

/** Says nothing about the word, but that we were not let in: secrets and releases of the two may change one after the other. */
const OF_US: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'forbidden', 'rate_limited'])

interface Asked {
  hook: WaitingHook
  event: PaymentEvent
  /** The provider's code of the customer. */
  reference: string
  /** The merchant that has paid as this customer. */
  payer: string | null
}

type WithAdmin = Context & { kyb: NonNullable<Context['kyb']> }

/**
 * Has admin take over what the provider found of businesses. However often one is asked about it takes effect once; what
 * admin refuses of it ends with the code of the refusal, an admin that does not answer or refuses us ends nothing. Any number of replicas may do this at once.
 */
export async function takeIdentifications(ctx: WithAdmin, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const hookId = await ctx.transact('every tenant', (tx) => claimWaitingHook(tx, LEASE_MS, IDENTIFICATION))
    if (hookId === null) return
    await takeIdentification(ctx, hookId).catch((err: unknown) => {
      ctx.logger.warn({ err, hook_id: hookId }, 'an identification could not be taken over; it waits on')
    })
  }
}

async function takeIdentification(ctx: WithAdmin, hookId: string): Promise<void> {
  const asked = await ctx.transact('every tenant', async (tx): Promise<Asked | null> => {
    const hook = await lockWaitingHook(tx, hookId)
    const event = hook && parsePaymentEvent(hook.body)
    if (!hook || !event || event.customerCode === null) return null
    const payer = await merchantOfCustomer(tx, event.customerCode)
    return { hook, event, reference: event.customerCode, payer }
  })
  if (!asked) return
  const { hook } = asked
  const judgement = await judgementOfAdmin(ctx, asked)
  ctx.failpoint('identification.recorded')
  await ctx.transact('every tenant', async (tx) => {
    const waiting = await lockWaitingHook(tx, hookId)
    // Handed on again meanwhile, or another replica was quicker.
    if (waiting?.version !== hook.version) return
    await settleHook(ctx, tx, { hook, since: hook.since, judgement })
  })
  ctx.relay.wake()
}

async function judgementOfAdmin(ctx: WithAdmin, { hook, event, reference, payer }: Asked): Promise<Judgement> {
  try {
    const answer = await ctx.kyb.as(systemCaller('wallet')).recordIdentification({
      merchant_id: payer ?? '',
      addressed_merchant_id: hook.merchantId ?? undefined,
      succeeded: event.event === 'customeridentification.success',
      occurred_at: hook.receivedAt.toISOString(),
      reason: event.reason ?? undefined,
      reference,
    })
    return judgementOf(answer, payer)
  } catch (err) {
    if (!(err instanceof ServiceError) || ERRORS[err.code].http >= 500 || OF_US.has(err.code)) throw err
    // Asked again it would be refused again.
    ctx.logger.warn({ err, hook_id: hook.hookId }, 'admin refuses an identification')
    return refused(`admin_${err.code}`, payer ?? undefined)
  }
}

function judgementOf(
  { outcome, kyb_status }: { outcome: string; kyb_status: string },
  payer: string | null,
): Judgement {
  switch (outcome) {
    case 'recorded':
      return { outcome: 'applied' }
    case 'unknown_business':
      return { outcome: 'waiting', reason: IDENTIFICATION }
    case 'not_pending':
      // It may come before what it is about: the business has yet to submit.
      return kyb_status === 'not_submitted' ? { outcome: 'waiting', reason: IDENTIFICATION } : ignored(outcome)
    case 'of_an_earlier_submission':
      return ignored(outcome)
    default:
      return refused(outcome, payer ?? undefined)
  }
}
