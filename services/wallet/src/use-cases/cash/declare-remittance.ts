import { DeclareRemittanceResponse } from '@svc/contracts/wallet/v1/cash_service'
import { ServiceError, validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { type Idempotency, type Tx, withIdempotency } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockCashAccount } from '../../db/cash-accounts.ts'
import { insertRemittance, openlyDeclared } from '../../db/cash-remittances.ts'
import { currencyOf } from '../../db/merchants.ts'
import { MOST_OPEN, type Remittance, requireInHand } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'
import { remittanceAudit } from '../../events.ts'
import { remittanceMessage } from '../../messages/cash.ts'

interface Declared {
  /** The other side: a rider names the merchant, a merchant the rider. */
  merchantId?: string | undefined
  riderId?: string | undefined
  amountMinor: number
  /** Absent: the merchant's own. */
  currency?: string | undefined
  note?: string | undefined
  idempotency?: Idempotency | undefined
}

const ROUTE = 'cash.declare_remittance'

/** Declares a hand-over, once per idempotency key: no more than is in hand and not declared yet. Nothing moves by it. */
export async function declareRemittance(
  ctx: Pick<Context, 'transact'>,
  by: By,
  declared: Declared,
): Promise<DeclareRemittanceResponse> {
  const { idempotency } = declared
  const reach = cashReach(by)
  const isRider = reach.by === 'rider'
  const other = isRider ? 'merchant_id' : 'rider_id'
  const named = isRider ? declared.merchantId : declared.riderId
  if (named === undefined) throw validationError([{ field: other, rule: 'required', message: `${other} is required.` }])
  const merchantId = (isRider ? named : reach.merchantId)!
  const riderId = (isRider ? reach.riderId : named)!
  // Keys of the shared sandbox rider are those of the merchant that it is bound to.
  const owner = { merchantId: isRider && !reach.isTest ? riderId : reach.merchantId!, isTest: reach.isTest }
  // A token that is bound to a merchant reaches the cash of no other, nor what was answered about it.
  if (reach.merchantId !== undefined && reach.merchantId !== merchantId) requireInHand(declared.amountMinor, 0)
  const { reply, replayed } = await ctx.transact('every tenant', (tx) =>
    withIdempotency(tx, owner, `${ROUTE}.${reach.by}`, idempotency, async () => {
      const remittance = await place(tx, { ...declared, merchantId, riderId, isTest: reach.isTest, by: reach.by })
      tx.publish(remittanceAudit(by.caller, 'cash_remittance.declare', remittance))
      const message = { remittance: remittanceMessage(remittance), replayed: false }
      return { reply: DeclareRemittanceResponse.encode(message).finish(), resourceId: remittance.id }
    }),
  )
  return { ...DeclareRemittanceResponse.decode(reply), replayed }
}

type Placed = Declared & { merchantId: string; riderId: string; isTest: boolean; by: 'rider' | 'merchant' }

async function place(
  tx: Tx,
  { merchantId, riderId, isTest, amountMinor, note, ...wanted }: Placed,
): Promise<Remittance> {
  const currency = wanted.currency ?? (await currencyOf(tx, merchantId))
  const account = await lockCashAccount(tx, { merchantId, riderId, isTest, currency })
  const open = await openlyDeclared(tx, account.id)
  requireInHand(amountMinor, account.inHandMinor - open.minor)
  if (open.remittances >= MOST_OPEN) throw new ServiceError('limit_reached', { details: { limit: MOST_OPEN } })
  return insertRemittance(tx, account, { amountMinor, declaredBy: wanted.by, note: note ?? null })
}
