import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'
import type { CloudAsset } from '../domain/cloud-asset.ts'
import type { CloudConnection } from '../domain/cloud-status.ts'
import type { CloudSignup } from './cloud-signups.ts'

const COLUMNS = `waba_id AS "wabaId", phone_number_id AS "phoneNumberId", display_phone_number AS "displayPhoneNumber",
  verified_name AS "verifiedName", connected_at AS "connectedAt"`

export async function findConnection(
  tx: Pick<Tx, 'sql'>,
  { merchantId }: { merchantId: string },
): Promise<CloudConnection | null> {
  const { rows } = await tx.sql<CloudConnection>(`SELECT ${COLUMNS} FROM cloud_connections WHERE merchant_id = $1`, [
    merchantId,
  ])
  return rows[0] ?? null
}

/** Whether a number is another merchant's; until the transaction ends nobody else connects it. */
export async function isConnectedElsewhere(
  tx: Tx,
  { merchantId, phoneNumberId }: { merchantId: string; phoneNumberId: string },
): Promise<boolean> {
  // A missing row cannot be locked: the advisory lock orders the first two merchants.
  await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cloud number ${phoneNumberId}`])
  const { rows } = await tx.sql('SELECT FROM cloud_connections WHERE phone_number_id = $1 AND merchant_id <> $2', [
    phoneNumberId,
    merchantId,
  ])
  return rows.length > 0
}

/** Connects a number in the place of the one before, with the token and the PIN of its signup. */
export async function storeConnection(
  tx: Tx,
  box: SecretBox,
  { merchantId, accessToken, pin }: CloudSignup,
  asset: CloudAsset,
): Promise<CloudConnection> {
  const seal = (column: string, text: string) =>
    box.seal({ table: 'cloud_connections', column, row: asset.phoneNumberId, tenant: merchantId }, text)
  const { rows } = await tx.sql<CloudConnection>(
    `INSERT INTO cloud_connections (merchant_id, waba_id, phone_number_id, display_phone_number, verified_name,
                                    access_token, pin, connected_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, app_now())
     ON CONFLICT (merchant_id) DO UPDATE SET
       waba_id = excluded.waba_id, phone_number_id = excluded.phone_number_id,
       display_phone_number = excluded.display_phone_number, verified_name = excluded.verified_name,
       access_token = excluded.access_token, pin = excluded.pin, connected_at = excluded.connected_at
     RETURNING ${COLUMNS}`,
    [
      merchantId,
      asset.wabaId,
      asset.phoneNumberId,
      asset.displayPhoneNumber,
      asset.verifiedName,
      seal('access_token', accessToken),
      seal('pin', pin),
    ],
  )
  return rows[0]!
}
