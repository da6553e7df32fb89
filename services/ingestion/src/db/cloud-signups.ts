import { randomUUID } from 'node:crypto'
import type { Expiry } from '@svc/lifecycle'
import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'

/** As long as somebody needs to choose a phone number. */
const LIFETIME = `interval '15 minutes'`

/** A signup whose code was exchanged and whose phone number is still to be chosen. */
export interface CloudSignup {
  id: string
  merchantId: string
  /** Of the provider, in the clear. */
  accessToken: string
  /** With which the number will be registered: the same one however often that is tried. */
  pin: string
  expiresAt: Date
}

const COLUMNS = `id, merchant_id AS "merchantId", access_token AS "accessToken", pin, expires_at AS "expiresAt"`

/** Keeps a signup in the place of any earlier one of the merchant. */
export async function storeSignup(
  tx: Tx,
  box: SecretBox,
  { merchantId, accessToken, pin }: Pick<CloudSignup, 'merchantId' | 'accessToken' | 'pin'>,
): Promise<CloudSignup> {
  const id = randomUUID()
  const seal = (column: Column, text: string) => box.seal(placeOf({ id, merchantId }, column), text)
  const { rows } = await tx.sql<CloudSignup>(
    `INSERT INTO cloud_signups (id, merchant_id, access_token, pin, expires_at)
     VALUES ($1, $2, $3, $4, app_now() + ${LIFETIME})
     ON CONFLICT (merchant_id) DO UPDATE SET
       id = excluded.id, access_token = excluded.access_token, pin = excluded.pin, expires_at = excluded.expires_at
     RETURNING ${COLUMNS}`,
    [id, merchantId, seal('access_token', accessToken), seal('pin', pin)],
  )
  return opened(box, rows[0]!)
}

/** The signup of a merchant that waits for a choice; null where none does. */
export async function findSignup(
  tx: Pick<Tx, 'sql'>,
  box: SecretBox,
  { merchantId }: { merchantId: string },
): Promise<CloudSignup | null> {
  const { rows } = await tx.sql<CloudSignup>(
    `SELECT ${COLUMNS} FROM cloud_signups WHERE merchant_id = $1 AND expires_at > (SELECT app_now())`,
    [merchantId],
  )
  return rows[0] ? opened(box, rows[0]) : null
}

/** Ends a signup; false where it had ended, or another has taken its place. */
export async function removeSignup(tx: Tx, { id, merchantId }: Pick<CloudSignup, 'id' | 'merchantId'>) {
  const { rowCount } = await tx.sql('DELETE FROM cloud_signups WHERE merchant_id = $1 AND id = $2', [merchantId, id])
  return rowCount > 0
}

/** A token that nobody will use is not kept. */
export const expiredSignups: Expiry = { table: 'cloud_signups', age: 'expires_at', keep: `interval '0'` }

type Column = 'access_token' | 'pin'

const opened = (box: SecretBox, row: CloudSignup): CloudSignup => ({
  ...row,
  accessToken: box.open(placeOf(row, 'access_token'), row.accessToken),
  pin: box.open(placeOf(row, 'pin'), row.pin),
})

const placeOf = ({ id, merchantId }: Pick<CloudSignup, 'id' | 'merchantId'>, column: Column) => ({
  table: 'cloud_signups',
  column,
  row: id,
  tenant: merchantId,
})
