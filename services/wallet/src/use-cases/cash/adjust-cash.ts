import { AdjustCashResponse } from '@svc/contracts/wallet/v1/cash_service'
import { validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { type Idempotency, type Tx, withIdempotency } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockKnownCashAccount } from '../../db/cash-accounts.ts'
import { decideAdjustment, insertAdjustment } from '../../db/cash-adjustments.ts'
import { decidedWithinADay, openlyDeclared } from '../../db/cash-remittances.ts'
import { currencyOf } from '../../db/merchants.ts'
import { type CashAdjustment, requireAdjustable } from '../../domain/cash-adjustment.ts'
import { adjustmentAudit } from '../../events.ts'
import { adjustmentMessage } from '../../messages/cash.ts'

interface Wanted {
  merchantId: string
  riderId: string
  /** Positive: the rider has more in hand. */
  amountMinor: number
  /** Absent: the merchant's own. */
  currency?: string | undefined
  reason: string
  idempotency?: Idempotency | undefined
}

const ROUTE = 'cash.adjust'

/**
 * An operator changes what a rider has in hand of a merchant's live cash, once per idempotency key. Where that and what
 * operators changed of the rider's cash within a day is more than the four-eyes limit, nothing moves until a second
 * operator approves.
 */
export async function adjustCash(
  ctx: Pick<Context, 'transact' | 'config'>,
  { caller }: By,
  wanted: Wanted,
): Promise<AdjustCashResponse> {
  const { reply, replayed } = await ctx.transact('every tenant', (tx) =>
    withIdempotency(
      tx,
      { merchantId: wanted.merchantId, isTest: false },
      `${ROUTE}.${caller.actor.id}`,
      wanted.idempotency,
      async () => {
        const adjustment = await place(ctx, tx, { ...wanted, by: caller.actor.id })
        tx.publish(adjustmentAudit(caller, 'cash_adjustment.create', adjustment))
        const message = { adjustment: adjustmentMessage(adjustment), replayed: false }
        return { reply: AdjustCashResponse.encode(message).finish(), resourceId: adjustment.id }
      },
    ),
  )
  return { ...AdjustCashResponse.decode(reply), replayed }
}

async function place(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  { merchantId, riderId, amountMinor, reason, by, ...wanted }: Wanted & { by: string },
): Promise<CashAdjustment> {
  const currency = wanted.currency ?? (await currencyOf(tx, merchantId))
  const account = await lockKnownCashAccount(tx, { merchantId, riderId, currency, isTest: false })
  if (!account) {
    const message = `rider_id has never had cash of this merchant in ${currency}.`
    throw validationError([{ field: 'rider_id', rule: 'known', message }])
  }
  requireAdjustable(account, { amountMinor, declaredMinor: (await openlyDeclared(tx, account.id)).minor })
  const adjustment = await insertAdjustment(tx, account, { amountMinor, reason, proposedBy: by })
  const takesTwo = Math.abs(amountMinor) + (await decidedWithinADay(tx, account)) > config.fourEyesAboveMinor
  return takesTwo ? adjustment : decideAdjustment(tx, { account, adjustment }, { status: 'applied', decidedBy: by })
}
