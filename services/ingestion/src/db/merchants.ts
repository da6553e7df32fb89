import { ServiceError } from '@svc/errors'
import { type By, merchantNamed } from '@svc/grpc'
import type { Transact, Tx } from '@svc/transact'

/** Remembers that there is such a merchant. */
export async function storeMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx.sql('INSERT INTO merchants (id) VALUES ($1) ON CONFLICT DO NOTHING', [merchantId])
}

/**
 * The merchant that a call is about: the one that calls, or the one that an operator names. Throws not_found for the id of
 * no merchant; one that signed up a moment ago counts once its fact has arrived.
 */
export async function knownMerchant(
  { transact }: { transact: Transact },
  by: By,
  named: string | undefined,
): Promise<string> {
  const merchantId = merchantNamed(by, named)
  if (by.scope !== 'every tenant') return merchantId
  const { rows } = await transact(by.scope, (tx) => tx.sql('SELECT FROM merchants WHERE id = $1', [merchantId]))
  if (rows.length === 0) throw new ServiceError('not_found')
  return merchantId
}
