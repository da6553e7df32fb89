import { batched, type Database, isTimeout, type Statement } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { MAX_SHOP_CLAIMS } from '@svc/inputs'
import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'
import { type ChannelSettings, NO_SETTINGS, type Unopened } from '../domain/channel-settings.ts'
import type { OpenSecret } from './secret-opener.ts'

export interface SecretsRow {
  secret: string | null
  previousSecret: string | null
  previousSecretExpiresAt: Date | null
  /** Whether the previous one still verifies. */
  overlaps: boolean | null
}

export type SettingsRow = SecretsRow &
  Omit<ChannelSettings, keyof SecretsRow | 'pickup'> & {
    pickupAddress: string | null
    pickupLat: number | null
    pickupLng: number | null
  }

interface Key {
  merchantId: string
  channel: string
}

/** Of a SecretsRow. */
export const SECRETS = `secret, previous_secret AS "previousSecret", previous_secret_expires_at AS "previousSecretExpiresAt",
  previous_secret_expires_at > app_now() AS "overlaps"`

const COLUMNS = `${SECRETS}, shop_domain AS "shopDomain", receiver_phone AS "receiverPhone", subject_keyword AS "subjectKeyword",
  pickup_address AS "pickupAddress", pickup_lat AS "pickupLat", pickup_lng AS "pickupLng", lead_minutes AS "leadMinutes",
  window_minutes AS "windowMinutes", updated_at AS "updatedAt"`

/** A merchant's settings, none where it has set none; with `lock` no other transaction changes them until the commit. */
export async function findChannelSettings(
  tx: Pick<Tx, 'sql'>,
  openSecret: OpenSecret,
  key: Key,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ChannelSettings> {
  // A missing row cannot be locked: the advisory lock orders the first two changes.
  if (lock)
    await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${key.channel} of ${key.merchantId}`])
  const { text, params } = storedSettings(key)
  const { rows } = await tx.sql<SettingsRow>(text, params)
  return readSettings(openSecret, key, rows)
}

/** A merchant's settings as they are stored: no row where it has set none. */
export const storedSettings = ({ merchantId, channel }: Key): Statement => ({
  text: `SELECT ${COLUMNS} FROM channel_settings WHERE merchant_id = $1 AND channel = $2`,
  params: [merchantId, channel],
})

/** Those settings as rules read them. */
export const readSettings = (openSecret: OpenSecret, key: Key, [row]: readonly SettingsRow[]): ChannelSettings =>
  row ? settingsOf(openSecret, key, row) : NO_SETTINGS

const UNIQUE_VIOLATION = '23505'

/** As which of its shop's claimants a merchant is stored; throws already_exists where as many others are as there may be. */
export async function storeChannelSettings(
  tx: Tx,
  box: SecretBox,
  key: Key,
  settings: ChannelSettings & { shopClaim: number },
): Promise<void> {
  const seal = (column: Column, secret: string | Unopened | null) =>
    typeof secret === 'string' ? box.seal(placeOf(key, column), secret) : (secret?.sealed ?? null)
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

/** Of those that are asked for at one moment; what failed was only read, and what took too long would again. */
export const LOOK_UP = { limit: 100, isUndone: (error: unknown) => !isTimeout(error) }

/**
 * The secrets by which a merchant's hooks verify now, the current one first; null for the id of no merchant. Those that are
 * asked for at one moment share a statement.
 */
export function sharedVerifyingSecrets(worker: Database['worker'], openSecret: OpenSecret) {
  const together = async (keys: readonly Key[]): Promise<Array<SecretsRow | undefined>> => {
    const { rows } = await worker.query<SecretsRow & { place: number }>({
      name: 'verifying_secrets',
      text: `SELECT asked.place::int, ${SECRETS}
               FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS asked (merchant_id, channel, place)
               JOIN merchants ON merchants.id = asked.merchant_id
               LEFT JOIN channel_settings settings
                 ON settings.merchant_id = asked.merchant_id AND settings.channel = asked.channel`,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ channel }) => channel)],
    })
    const found = new Map(rows.map((row) => [row.place - 1, row]))
    return keys.map((_, place) => found.get(place))
  }
  const find = batched({ ...LOOK_UP, together, alone: async (key: Key) => (await together([key]))[0] })
  return async (key: Key): Promise<string[] | null> => {
    const row = await find(key)
    return row ? secretsIn(openSecret, key, row) : null
  }
}

/** What the hooks of merchants must say to be orders, by their ids; those that nobody has are not there. */
export async function wantedOf(
  worker: Database['worker'],
  { merchantIds, channel }: { merchantIds: readonly string[]; channel: string },
): Promise<Map<string, Pick<ChannelSettings, 'subjectKeyword'>>> {
  const { rows } = await worker.query<Pick<ChannelSettings, 'subjectKeyword'> & { id: string }>({
    name: 'wanted_of',
    text: `SELECT merchants.id, subject_keyword AS "subjectKeyword"
             FROM merchants LEFT JOIN channel_settings ON merchant_id = merchants.id AND channel = $2
            WHERE merchants.id = ANY ($1::uuid[])`,
    values: [merchantIds, channel],
  })
  return new Map(rows.map(({ id, ...wanted }) => [id, wanted]))
}

type Column = 'secret' | 'previous_secret'

function settingsOf(openSecret: OpenSecret, key: Key, row: SettingsRow): ChannelSettings {
  const { pickupAddress: address, pickupLat: lat, pickupLng: lng, overlaps: _, ...others } = row
  return { ...others, ...opened(openSecret, key, row), pickup: address === null ? null : { address, lat, lng } }
}

function opened(openSecret: OpenSecret, key: Key, { overlaps, ...row }: SecretsRow) {
  const open = (column: Column, sealed: string | null): string | Unopened | null =>
    sealed === null ? null : (openSecret(placeOf(key, column), sealed) ?? { sealed })
  const previousSecret = overlaps ? open('previous_secret', row.previousSecret) : null
  return { secret: open('secret', row.secret), previousSecret }
}

/** Those that verify now, the current one first. */
export function secretsIn(openSecret: OpenSecret, key: Key, row: SecretsRow): string[] {
  const { secret, previousSecret } = opened(openSecret, key, row)
  return [secret, previousSecret].filter((text) => typeof text === 'string')
}

const placeOf = ({ merchantId, channel }: Key, column: Column) => ({
  table: 'channel_settings',
  column,
  row: channel,
  tenant: merchantId,
})
