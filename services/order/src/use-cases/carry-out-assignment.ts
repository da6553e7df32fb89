import { randomUUID } from 'node:crypto'
import { ERRORS, ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import {
  type ClaimedIntent,
  claimAssignIntent,
  postponeAssignIntent,
  settleAssignIntent,
} from '../db/assign-intents.ts'

/** Longer than a call to dispatch may take. */
const LEASE_MS = 10_000
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 60_000

type Needs = Pick<Context, 'transact' | 'dispatch'>

/**
 * Gives one order to the rider that its creation named: the given order, or the one that has waited longest. Repeated
 * until dispatch says yes or no; left alone once the order has been given otherwise. False when none is due.
 */
export async function carryOutAssignment(ctx: Needs, orderId?: string): Promise<boolean> {
  const intent = await ctx.transact('every tenant', (tx) => claimAssignIntent(tx, LEASE_MS, orderId))
  if (!intent) return false
  const answer = intent.assignmentVersion > 0 ? decidedAlready(intent) : await ask(ctx, intent)
  await ctx.transact('every tenant', (tx) =>
    answer.state === 'unknown'
      ? postponeAssignIntent(tx, intent, Math.min(FIRST_DELAY_MS * 2 ** (intent.tries - 1), LONGEST_DELAY_MS))
      : settleAssignIntent(tx, intent, answer.state, { reason: answer.reason ?? null }),
  )
  return true
}

interface Answer {
  state: 'applied' | 'declined' | 'unknown'
  reason?: string
}

/** An earlier try may have done it without our hearing of it; a rider chosen since stays. */
const decidedAlready = ({ riderId, wanted }: ClaimedIntent): Answer =>
  riderId === wanted.riderId ? { state: 'applied' } : { state: 'declined', reason: 'assigned_otherwise' }

async function ask({ dispatch }: Needs, { orderId, wanted, merchantId }: ClaimedIntent): Promise<Answer> {
  const { riderId, isTest, actor, actingFor } = wanted
  const caller: Caller = {
    kind: 'merchant',
    merchantId,
    isTest,
    scopes: ['orders:read', 'orders:write'],
    actor,
    ...(actingFor && { actingFor }),
    requestId: randomUUID(),
  }
  try {
    await dispatch.assign(caller, orderId, riderId)
    return { state: 'applied' }
  } catch (error) {
    const isAnswer = error instanceof ServiceError && ERRORS[error.code].http < 500
    return isAnswer ? { state: 'declined', reason: error.code } : { state: 'unknown' }
  }
}
