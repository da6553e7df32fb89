import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockCashAccount, moveCash } from '../../db/cash-accounts.ts'
import { currencyOf } from '../../db/merchants.ts'
import type { Decision } from '../../domain/operation.ts'

interface Collection {
  opKey: string
  orderId: string
  merchantId: string
  riderId: string
  isTest: boolean
  amountMinor: number
  /** Absent: the merchant's own. */
  currency?: string | undefined
}

/** Books what a rider took from a customer for a merchant, once per order; declined where the sum is no number any more. */
export async function collectCash(
  ctx: Pick<Context, 'transact'>,
  _by: By,
  { opKey, orderId, merchantId, riderId, isTest, amountMinor, currency }: Collection,
): Promise<Decision['outcome']> {
  return ctx.transact('every tenant', async (tx) => {
    const account = await lockCashAccount(tx, {
      riderId,
      merchantId,
      isTest,
      currency: currency ?? (await currencyOf(tx, merchantId)),
    })
    const { collectedMinor, inHandMinor } = account
    if (![collectedMinor, inHandMinor].every((sum) => Number.isSafeInteger(sum + amountMinor))) return 'declined'
    const move = { opKey, subjectId: orderId, entryType: 'cash_collected', amountMinor, orderId } as const
    return (await moveCash(tx, account, move)).outcome
  })
}
