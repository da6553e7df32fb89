import type { Context } from '../context.ts'
import { type Decision, OPERATOR, type Owner } from '../domain/operation.ts'
import { openWallet } from './open-wallet.ts'
import { postOperation } from './post-operation.ts'

export interface Adjustment {
  opKey: string
  owner: Owner
  isTest: boolean
  /** Positive: to the owner. */
  amountMinor: number
  description: string
}

/** Moves money between the operator and a wallet, once per key; never below zero. */
export async function postAdjustment(ctx: Context, adjustment: Adjustment): Promise<Decision> {
  const { opKey, owner, isTest, amountMinor, description } = adjustment
  return ctx.transact('every tenant', async (tx) => {
    const { currency } = await openWallet(ctx, tx, { owner, isTest })
    return postOperation(tx, {
      opKey,
      kind: 'adjustment',
      subjectId: opKey,
      merchantId: owner.kind === 'merchant' ? owner.id : null,
      isTest,
      currency,
      about: { description },
      postings: [
        { owner: OPERATOR, purpose: 'available', entryType: 'adjustment', amountMinor: -amountMinor },
        { owner, purpose: 'available', entryType: 'adjustment', amountMinor },
      ],
    })
  })
}
