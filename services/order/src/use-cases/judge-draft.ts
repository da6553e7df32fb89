import { SANDBOX_RIDER } from '@svc/credentials'
import { ERRORS, type ErrorCode, ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import { firstRefusal } from './first-refusal.ts'
import { walletRefusal } from './wallet-refusal.ts'

export type Judgement = { refusal: ServiceError; price?: never } | { refusal: null; price: Price | null }

/** What dispatch refuses in its own words; whatever else it says means that it cannot tell. */
const PASSED_ON: ReadonlySet<ErrorCode> = new Set([
  'OUT_OF_COVERAGE_AREA',
  'quote_expired',
  'quote_mismatch',
  'validation_error',
])
/** Says nothing about the rider, but that we were not let in. */
const SHUT_OUT: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'forbidden'])

/**
 * Asks everything that stands between a new order and its acceptance: its rider, the operator's gates, coverage and
 * price, and what the merchant has. It only reads; what cannot be asked refuses, since nothing is ever skipped.
 */
export async function judgeDraft(ctx: Context, draft: OrderDraft, caller: Caller): Promise<Judgement> {
  const refusal = (await riderRefusal(ctx, draft, caller)) ?? (await firstRefusal(ctx.gates, draft, caller))
  if (refusal) return { refusal }
  const judged = await priced(ctx, draft, caller)
  if (judged.refusal) return judged
  const shortage = await walletRefusal(ctx, draft, judged.price, caller)
  return shortage ? { refusal: shortage } : judged
}

async function priced(ctx: Context, draft: OrderDraft, caller: Caller): Promise<Judgement> {
  if (!ctx.dispatch)
    return draft.quoteId ? { refusal: new ServiceError('quote_mismatch') } : { refusal: null, price: null }
  try {
    return { refusal: null, price: await ctx.dispatch.price(draft, caller) }
  } catch (error) {
    const isAnswer = error instanceof ServiceError && PASSED_ON.has(error.code)
    return { refusal: isAnswer ? error : new ServiceError('service_unavailable', { cause: error }) }
  }
}

async function riderRefusal(ctx: Context, { riderId }: OrderDraft, caller: Caller): Promise<ServiceError | null> {
  if (riderId === null) return null
  const isOfEnvironment = (riderId === SANDBOX_RIDER.id) === (caller.isTest === true)
  if (!ctx.dispatch || !isOfEnvironment) return notAssignable()
  try {
    await ctx.dispatch.checkAssignable(riderId, caller)
    return null
  } catch (error) {
    const isAnswer = error instanceof ServiceError && ERRORS[error.code].http < 500 && !SHUT_OUT.has(error.code)
    return isAnswer ? notAssignable(error.code) : new ServiceError('service_unavailable', { cause: error })
  }
}

function notAssignable(reason?: ErrorCode): ServiceError {
  const message = `standardized.rider_id names no rider that can be assigned${reason ? ` (${reason})` : ''}.`
  return validationError([{ field: 'standardized.rider_id', rule: 'assignable', message }])
}
