import type { Tx } from '@svc/transact'
import type { Hook, HookState } from '../domain/hook.ts'

interface HookStanding {
  state: HookState
  reason: string | null
  receivedAt: Date
}

/** How a kept hook stands and why; until the transaction ends no other one judges it or hands it on. */
export async function lockHook(tx: Tx, id: string): Promise<HookStanding | null> {
  const { rows } = await tx.sql<HookStanding>(
    'SELECT state, reason, received_at AS "receivedAt" FROM inbound_hooks WHERE id = $1 FOR UPDATE',
    [id],
  )
  return rows[0] ?? null
}

/** Puts another delivery of the same event in the place of the one that is kept. */
export async function storeDelivery(tx: Tx, { id, pathMerchantId, body, headers }: Hook): Promise<void> {
  await tx.sql('UPDATE inbound_hooks SET path_merchant_id = $2, body = $3, headers = $4 WHERE id = $1', [
    id,
    pathMerchantId,
    body,
    JSON.stringify(headers),
  ])
}

/** Keeps another delivery for the case that the one that is being judged is refused; of several the newest. */
export async function storeNextDelivery(tx: Tx, { id, pathMerchantId, body, headers }: Hook): Promise<void> {
  await tx.sql('UPDATE inbound_hooks SET next_path_merchant_id = $2, next_body = $3, next_headers = $4 WHERE id = $1', [
    id,
    pathMerchantId,
    body,
    JSON.stringify(headers),
  ])
}

/** Puts the delivery that was kept for this case in the place of the first; null where there is none. */
export async function takeNextDelivery(tx: Tx, id: string): Promise<Hook | null> {
  const { rows } = await tx.sql<Hook>(
    `UPDATE inbound_hooks SET
       path_merchant_id = next_path_merchant_id, body = next_body, headers = next_headers,
       next_path_merchant_id = NULL, next_body = NULL, next_headers = NULL
     WHERE id = $1 AND next_body IS NOT NULL
     RETURNING id, channel, path_merchant_id AS "pathMerchantId", signer, event, headers, body, received_at AS "receivedAt"`,
    [id],
  )
  return rows[0] ?? null
}
