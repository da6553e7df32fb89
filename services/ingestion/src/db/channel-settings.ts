import type { Database } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { MAX_SHOP_CLAIMS } from '@svc/inputs'
import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'
import { type ChannelSettings, NO_SETTINGS } from '../domain/channel-settings.ts'

interface SecretsRow {
  secret: string | null
  previousSecret: string | null
  previousSecretExpiresAt: Date | null
  /** Whether the previous one still verifies. */
  overlaps: boolean | null
}

type SettingsRow = SecretsRow &
  Omit<ChannelSettings, keyof SecretsRow | 'pickup'> & {
    pickupAddress: string | null
    pickupLat: number | null
    pickupLng: number | null
  }

interface Key {
  merchantId: string
  channel: string
}

const SECRETS = `secret, previous_secret AS "previousSecret", previous_secret_expires_at AS "previousSecretExpiresAt",
  previous_secret_expires_at > app_now() AS "overlaps"`

const COLUMNS = `${SECRETS}, shop_domain AS "shopDomain", receiver_phone AS "receiverPhone", subject_keyword AS "subjectKeyword",
  pickup_address AS "pickupAddress", pickup_lat AS "pickupLat", pickup_lng AS "pickupLng", lead_minutes AS "leadMinutes",
  window_minutes AS "windowMinutes", updated_at AS "updatedAt"`

/** A merchant's settings, none where it has set none; with `lock` no other transaction changes them until the commit. */
export async function findChannelSettings(
  tx: Pick<Tx, 'sql'>,
  box: SecretBox,
  key: Key,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ChannelSettings> {
  // A missing row cannot be locked: the advisory lock orders the first two changes.
  if (lock)
    await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${key.channel} of ${key.merchantId}`])
  const { rows } = await tx.sql<SettingsRow>(
    `SELECT ${COLUMNS} FROM channel_settings WHERE merchant_id = $1 AND channel = $2`,
    [key.merchantId, key.channel],
  )
  return rows[0] ? settingsOf(box, key, rows[0]) : NO_SETTINGS
}

const UNIQUE_VIOLATION = '23505'

/** As which of its shop's claimants a merchant is stored; throws already_exists where as many others are as there may be. */
export async function storeChannelSettings(
  tx: Tx,
  box: SecretBox,
  key: Key,
  settings: ChannelSettings & { shopClaim: number },
): Promise<void> {
  const seal = (column: Column, text: string | null) => (text === null ? null : box.seal(placeOf(key, column), text))
  try {
    await tx.sql(
      `INSERT INTO channel_settings (merchant_id, channel, secret, previous_secret, previous_secret_expires_at, updated_at,
         shop_domain, receiver_phone, subject_keyword, pickup_address, pickup_lat, pickup_lng, lead_minutes, window_minutes,
         shop_claim)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       ON CONFLICT (merchant_id, channel) DO UPDATE SET
         secret = excluded.secret, previous_secret = excluded.previous_secret,
         previous_secret_expires_at = excluded.previous_secret_expires_at, updated_at = excluded.updated_at,
         shop_domain = excluded.shop_domain, shop_claim = excluded.shop_claim, receiver_phone = excluded.receiver_phone,
         subject_keyword = excluded.subject_keyword, pickup_address = excluded.pickup_address,
         pickup_lat = excluded.pickup_lat, pickup_lng = excluded.pickup_lng, lead_minutes = excluded.lead_minutes,
         window_minutes = excluded.window_minutes`,
      [
        key.merchantId,
        key.channel,
        seal('secret', settings.secret),
        seal('previous_secret', settings.previousSecret),
        settings.previousSecretExpiresAt,
        settings.updatedAt,
        settings.shopDomain,
        settings.receiverPhone,
        settings.subjectKeyword,
        settings.pickup?.address ?? null,
        settings.pickup?.lat ?? null,
        settings.pickup?.lng ?? null,
        settings.leadMinutes,
        settings.windowMinutes,
        settings.shopClaim,
      ],
    )
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
    throw shopTaken(error)
  }
}

const shopTaken = (cause?: unknown): ServiceError =>
  new ServiceError('already_exists', { details: { field: 'shop_domain' }, cause })

/**
 * The number that is free for a merchant among those that say a shop is theirs, its own where it has one; until the
 * transaction ends nobody else takes it. Throws already_exists where none is left.
 */
export async function freeShopClaim(
  tx: Tx,
  worker: Database['worker'],
  { merchantId, channel, shopDomain }: Key & { shopDomain: string },
): Promise<number> {
  await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [`${channel} of ${shopDomain}`])
  // Whatever others have stored is seen past the wall of the tenant, and is committed: they held the lock before.
  const { rows } = await worker.query<{ number: number }>({
    name: 'free_shop_claim',
    text: `SELECT number FROM generate_series(1, $4::int) number
             LEFT JOIN channel_settings ON channel = $2 AND shop_domain = $3 AND shop_claim = number
            WHERE merchant_id IS NULL OR merchant_id = $1
            ORDER BY merchant_id IS NULL, number LIMIT 1`,
    values: [merchantId, channel, shopDomain, MAX_SHOP_CLAIMS],
  })
  const [free] = rows
  if (!free) throw shopTaken()
  return free.number
}

/** The secrets by which a merchant's hooks verify now, the current one first; null for the id of no merchant. */
export async function verifyingSecrets(worker: Database['worker'], box: SecretBox, key: Key): Promise<string[] | null> {
  const { rows } = await worker.query<SecretsRow>({
    name: 'verifying_secrets',
    text: `SELECT ${SECRETS}
             FROM merchants LEFT JOIN channel_settings ON merchant_id = merchants.id AND channel = $2
            WHERE merchants.id = $1`,
    values: [key.merchantId, key.channel],
  })
  if (!rows[0]) return null
  const { secret, previousSecret } = opened(box, key, rows[0])
  return [secret, previousSecret].filter((text) => text !== null)
}

/** What a merchant's hooks must say to be orders; null for the id of no merchant. */
export async function wantedOf(
  worker: Database['worker'],
  { merchantId, channel }: Key,
): Promise<Pick<ChannelSettings, 'subjectKeyword'> | null> {
  const { rows } = await worker.query<Pick<ChannelSettings, 'subjectKeyword'>>({
    name: 'wanted_of',
    text: `SELECT subject_keyword AS "subjectKeyword"
             FROM merchants LEFT JOIN channel_settings ON merchant_id = merchants.id AND channel = $2
            WHERE merchants.id = $1`,
    values: [merchantId, channel],
  })
  return rows[0] ?? null
}

/** A merchant that says a shop is its own, which a hook proves by its secret. */
interface ShopClaim {
  merchantId: string
  /** From 1 to MAX_SHOP_CLAIMS. */
  number: number
  /** The current one first. */
  secrets: string[]
}

/** Who says that a shop is theirs; nobody for the domain of none. */
export async function shopClaims(
  worker: Database['worker'],
  box: SecretBox,
  { channel, shopDomain }: { channel: string; shopDomain: string },
): Promise<ShopClaim[]> {
  const { rows } = await worker.query<SecretsRow & { merchantId: string; number: number }>({
    name: 'shop_claims',
    text: `SELECT merchant_id AS "merchantId", shop_claim AS number, ${SECRETS}
             FROM channel_settings JOIN merchants ON merchants.id = merchant_id
            WHERE channel = $1 AND shop_domain = $2`,
    values: [channel, shopDomain],
  })
  return rows.map(({ merchantId, number, ...row }) => {
    const { secret, previousSecret } = opened(box, { merchantId, channel }, row)
    return { merchantId, number, secrets: [secret, previousSecret].filter((text) => text !== null) }
  })
}

type Column = 'secret' | 'previous_secret'

function settingsOf(box: SecretBox, key: Key, row: SettingsRow): ChannelSettings {
  const { pickupAddress: address, pickupLat: lat, pickupLng: lng, overlaps: _, ...others } = row
  return { ...others, ...opened(box, key, row), pickup: address === null ? null : { address, lat, lng } }
}

function opened(box: SecretBox, key: Key, { overlaps, ...row }: SecretsRow) {
  const open = (column: Column, sealed: string | null) =>
    sealed === null ? null : box.open(placeOf(key, column), sealed)
  const previousSecret = overlaps ? open('previous_secret', row.previousSecret) : null
  return { secret: open('secret', row.secret), previousSecret }
}

const placeOf = ({ merchantId, channel }: Key, column: Column) => ({
  table: 'channel_settings',
  column,
  row: channel,
  tenant: merchantId,
})
