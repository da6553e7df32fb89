import type { Database } from '@svc/database'
import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'
import { type ChannelSecret, NO_SECRET } from '../domain/channel-secret.ts'

interface SettingsRow {
  secret: string | null
  previousSecret: string | null
  previousSecretExpiresAt: Date | null
  /** Whether the previous one still verifies. */
  overlaps: boolean | null
  updatedAt: Date | null
}

interface Key {
  merchantId: string
  channel: string
}

const COLUMNS = `secret, previous_secret AS "previousSecret", previous_secret_expires_at AS "previousSecretExpiresAt",
  previous_secret_expires_at > app_now() AS "overlaps", updated_at AS "updatedAt"`

/** A merchant's secret, none where it has set none; with `lock` no other transaction changes it until the commit. */
export async function findChannelSecret(
  tx: Pick<Tx, 'sql'>,
  box: SecretBox,
  key: Key,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ChannelSecret> {
  // A missing row cannot be locked: the advisory lock orders the first two changes.
  if (lock)
    await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${key.channel} of ${key.merchantId}`])
  const { rows } = await tx.sql<SettingsRow>(
    `SELECT ${COLUMNS} FROM channel_settings WHERE merchant_id = $1 AND channel = $2`,
    [key.merchantId, key.channel],
  )
  return rows[0] ? opened(box, key, rows[0]) : NO_SECRET
}

export async function storeChannelSecret(tx: Tx, box: SecretBox, key: Key, secret: ChannelSecret): Promise<void> {
  const seal = (column: Column, text: string | null) => (text === null ? null : box.seal(placeOf(key, column), text))
  await tx.sql(
    `INSERT INTO channel_settings (merchant_id, channel, secret, previous_secret, previous_secret_expires_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id, channel) DO UPDATE SET
       secret = excluded.secret, previous_secret = excluded.previous_secret,
       previous_secret_expires_at = excluded.previous_secret_expires_at, updated_at = excluded.updated_at`,
    [
      key.merchantId,
      key.channel,
      seal('secret', secret.secret),
      seal('previous_secret', secret.previousSecret),
      secret.previousSecretExpiresAt,
      secret.updatedAt,
    ],
  )
}

/** The secrets by which a merchant's hooks verify now, the current one first; null for the id of no merchant. */
export async function verifyingSecrets(worker: Database['worker'], box: SecretBox, key: Key): Promise<string[] | null> {
  const { rows } = await worker.query<SettingsRow>({
    name: 'verifying_secrets',
    text: `SELECT ${COLUMNS}
             FROM merchants LEFT JOIN channel_settings ON merchant_id = merchants.id AND channel = $2
            WHERE merchants.id = $1`,
    values: [key.merchantId, key.channel],
  })
  if (!rows[0]) return null
  const { secret, previousSecret } = opened(box, key, rows[0])
  return [secret, previousSecret].filter((text) => text !== null)
}

type Column = 'secret' | 'previous_secret'

function opened(box: SecretBox, key: Key, { overlaps, ...row }: SettingsRow): ChannelSecret {
  const open = (column: Column, sealed: string | null) =>
    sealed === null ? null : box.open(placeOf(key, column), sealed)
  const previousSecret = overlaps ? open('previous_secret', row.previousSecret) : null
  return { ...row, secret: open('secret', row.secret), previousSecret }
}

const placeOf = ({ merchantId, channel }: Key, column: Column) => ({
  table: 'channel_settings',
  column,
  row: channel,
  tenant: merchantId,
})
