import type { Tx } from '@svc/transact'
import { PROVIDER } from '../domain/operation.ts'
import type { Topup } from '../domain/topup.ts'
import { topupCreditedFact } from '../events.ts'
import { postOperation } from './post-operation.ts'
import { markCredited } from './topups.ts'

/** Gives the merchant what was paid, once per reference, by hook or sweep. The caller has locked the top-up. */
export async function creditTopup(tx: Tx, topup: Topup): Promise<void> {
  const { reference, merchantId, amountMinor, currency } = topup
  const owner = { kind: 'merchant', id: merchantId } as const
  const operation = {
    opKey: `topup:payments-a:${reference}`,
    kind: 'topup',
    subjectId: reference,
    merchantId,
    isTest: false,
    currency,
    about: { reference },
    postings: [
      { owner: PROVIDER, purpose: 'available', entryType: 'topup', amountMinor: -amountMinor },
      { owner, purpose: 'available', entryType: 'topup', amountMinor },
    ],
  } as const
  const { outcome } = await postOperation(tx, operation, topupCreditedFact(topup))
  if (outcome !== 'applied') throw new Error(`the credit of top-up ${reference} is ${outcome}`)
  await markCredited(tx, reference)
}
