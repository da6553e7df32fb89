import { SANDBOX_RIDER } from '@svc/credentials'
import { ERRORS, type ErrorCode, ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import { tradingRefusal } from '../domain/trading.ts'
import { sandboxRefusal } from './sandbox-refusal.ts'
import { walletRefusal } from './wallet-refusal.ts'

export type Judgement = { refusal: ServiceError; price?: never } | { refusal: null; price: Price | null }

/** What dispatch refuses in its own words; anything else it says means that it cannot tell. */
const PASSED_ON: ReadonlySet<ErrorCode> = new Set([
  'OUT_OF_COVERAGE_AREA',
  'quote_expired',
  'quote_mismatch',
  'validation_error',
])
/** Says nothing about the rider, but that we were not let in. */
const SHUT_OUT: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'forbidden'])

/**
 * Asks everything that stands between a new order and its acceptance: its rider, the operator's rules for trading,
 * coverage and price, what the merchant has, and last the room of its sandbox. Nothing but that room is changed; what
 * cannot be asked refuses, since nothing is skipped.
 */
export async function judgeDraft(ctx: Context, by: By<Tenant>, draft: OrderDraft): Promise<Judgement> {
  const refusal = commissionRefusal(ctx, draft) ?? (await riderRefusal(ctx, by, draft)) ?? standingRefusal(ctx, by)
  if (refusal) return { refusal }
  const judged = await priced(ctx, by, draft)
  if (judged.refusal) return judged
  const shortage = await walletRefusal(ctx, by, draft, judged.price)
  if (shortage) return { refusal: shortage }
  const full = await sandboxRefusal(ctx, by, Buffer.byteLength(draft.unifiedJson))
  return full ? { refusal: full } : judged
}

/**
 * Everything that judgeDraft() would refuse the order for, were each the only one, and its price. Nothing is changed: the
 * room of a sandbox is not asked for, since asking takes it. Throws where something cannot be asked.
 */
export async function refusalsOf(
  ctx: Context,
  by: By<Tenant>,
  draft: OrderDraft,
): Promise<{ refusals: ServiceError[]; price: Price | null }> {
  const { refusal, price = null } = await priced(ctx, by, draft)
  const found = [
    commissionRefusal(ctx, draft),
    await riderRefusal(ctx, by, draft),
    ...standingRefusals(ctx, by),
    refusal,
    // What an order would cost that is not covered nobody knows.
    refusal ? null : await walletRefusal(ctx, by, draft, price),
  ]
  const refusals = found.filter((each) => each !== null)
  const unasked = refusals.find(({ code }) => code === 'service_unavailable')
  if (unasked) throw unasked
  return { refusals, price }
}

/** A commission of the merchant's own choice is paid to a rider as it is: what the operator allows is judged before. */
function commissionRefusal({ config }: Context, { standardized }: OrderDraft): ServiceError | null {
  const { commissionMaxMinor: limit } = config
  const { delivery_commission_minor: own } = standardized
  if (limit === undefined || typeof own !== 'number' || own <= limit) return null
  const field = 'standardized.delivery_commission_minor'
  return validationError([{ field, rule: 'max', message: `${field} must be at most ${limit}.`, limit }])
}

/** What the operator asks of who trades. */
export const standingRefusal = (ctx: Context, by: By): ServiceError | null => standingRefusals(ctx, by)[0] ?? null

/** Each of its rules by itself. */
function standingRefusals({ config }: Context, { caller: { isTest, standing } }: By): ServiceError[] {
  const verified = config.requireKybForOrders && isTest === false
  return [
    tradingRefusal(standing, { verified, paid: false }),
    tradingRefusal(standing, { verified: false, paid: config.billingEnforcement }),
  ].filter((refusal) => refusal !== null)
}

async function priced(ctx: Context, by: By<Tenant>, draft: OrderDraft): Promise<Judgement> {
  try {
    return { refusal: null, price: await ctx.dispatch.price(by, draft) }
  } catch (error) {
    const isAnswer = error instanceof ServiceError && PASSED_ON.has(error.code)
    return { refusal: isAnswer ? error : new ServiceError('service_unavailable', { cause: error }) }
  }
}

async function riderRefusal(ctx: Context, by: By, { riderId }: OrderDraft): Promise<ServiceError | null> {
  if (riderId === null) return null
  const isOfEnvironment = (riderId === SANDBOX_RIDER.id) === (by.caller.isTest === true)
  if (!isOfEnvironment) return notAssignable()
  try {
    await ctx.dispatch.checkAssignable(by, riderId)
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
