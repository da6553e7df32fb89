import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'
import type { Endpoint } from '../domain/endpoint.ts'
import { blankEndpoint } from '../domain/endpoint.ts'
import type { SignatureVersion } from '../domain/signature.ts'
import { query } from './query.ts'

/** The columns from which an attempt learns where to send and how to sign. */
export interface EndpointColumns {
  merchant_id: string
  url: string | null
  secret: string | null
  previous_secret: string | null
  previous_secret_expires_at: Date | null
  test_url: string | null
  test_secret: string | null
  signature_version: SignatureVersion | null
}

interface EndpointRow extends EndpointColumns {
  enabled: boolean
  events: string[]
  updated_at: Date
}

/** The merchant's endpoint, blank when it has set nothing; with `lock` no other transaction changes it until the commit. */
export async function findEndpoint(
  tx: Tx,
  box: SecretBox,
  merchantId: string,
  options: { lock?: boolean } = {},
): Promise<Endpoint> {
  // A missing row cannot be locked: the advisory lock orders the first two patches of one merchant.
  if (options.lock) await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`endpoint ${merchantId}`])
  const [row] = await query<EndpointRow>(tx, 'SELECT * FROM endpoint WHERE merchant_id = $1', [merchantId])
  return row ? endpointOf(box, row) : blankEndpoint(merchantId)
}

/** The endpoints of these merchants, in their order, whatever tenant they are. */
export async function findEndpoints(tx: Tx, box: SecretBox, merchantIds: readonly string[]): Promise<Endpoint[]> {
  const rows = await query<EndpointRow>(tx, 'SELECT * FROM endpoint WHERE merchant_id = ANY ($1::uuid[])', [
    merchantIds,
  ])
  const ofMerchant = new Map(rows.map((row) => [row.merchant_id, endpointOf(box, row)]))
  return merchantIds.map((id) => ofMerchant.get(id.toLowerCase()) ?? blankEndpoint(id))
}

/** The events that each of these merchants lists, whether its endpoint is enabled or not. */
export async function listedEvents(tx: Tx, merchantIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await query<{ merchant_id: string; events: string[] }>(
    tx,
    'SELECT merchant_id, events FROM endpoint WHERE merchant_id = ANY ($1::uuid[])',
    [merchantIds],
  )
  return new Map(rows.map(({ merchant_id, events }) => [merchant_id, new Set(events)]))
}

function endpointOf(box: SecretBox, row: EndpointRow): Endpoint {
  const { merchant_id, enabled, events, updated_at } = row
  return { ...blankEndpoint(merchant_id), ...openColumns(box, row), enabled, events, updatedAt: updated_at }
}

/** Opens the secrets of an endpoint row. */
export function openColumns(box: SecretBox, row: EndpointColumns) {
  const open = (column: SecretColumn, sealed: string | null) =>
    sealed === null ? null : box.open(placeOf(row.merchant_id, column), sealed)
  return {
    url: row.url,
    secret: open('secret', row.secret),
    previousSecret: open('previous_secret', row.previous_secret),
    previousSecretExpiresAt: row.previous_secret_expires_at,
    testUrl: row.test_url,
    testSecret: open('test_secret', row.test_secret),
    signatureVersion: row.signature_version,
  }
}

/** Stores the endpoint and lets its waiting deliveries be looked at: a new URL may answer where the old one did not. */
export async function saveEndpoint(tx: Tx, box: SecretBox, endpoint: Endpoint): Promise<void> {
  const seal = (column: SecretColumn, secret: string | null) =>
    secret === null ? null : box.seal(placeOf(endpoint.merchantId, column), secret)
  await query(
    tx,
    `INSERT INTO endpoint (merchant_id, url, enabled, secret, previous_secret, previous_secret_expires_at, test_url,
                           test_secret, events, signature_version, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (merchant_id) DO UPDATE SET url = excluded.url, enabled = excluded.enabled, secret = excluded.secret,
       previous_secret = excluded.previous_secret, previous_secret_expires_at = excluded.previous_secret_expires_at,
       test_url = excluded.test_url, test_secret = excluded.test_secret, events = excluded.events,
       signature_version = excluded.signature_version, updated_at = excluded.updated_at`,
    [
      endpoint.merchantId,
      endpoint.url,
      endpoint.enabled,
      seal('secret', endpoint.secret),
      seal('previous_secret', endpoint.previousSecret),
      endpoint.previousSecretExpiresAt,
      endpoint.testUrl,
      seal('test_secret', endpoint.testSecret),
      endpoint.events,
      endpoint.signatureVersion,
      endpoint.updatedAt,
    ],
  )
  await query(
    tx,
    `UPDATE lane SET due_at = app_now(), open_until = NULL, consecutive_failures = 0
      WHERE (merchant_id, is_test) IN
        (SELECT merchant_id, is_test FROM lane WHERE merchant_id = $1 ORDER BY merchant_id, is_test FOR UPDATE)`,
    [endpoint.merchantId],
  )
  await query(tx, 'DELETE FROM alert WHERE merchant_id = $1 AND sent_at IS NOT NULL', [endpoint.merchantId])
}

type SecretColumn = 'secret' | 'previous_secret' | 'test_secret'

const placeOf = (merchantId: string, column: SecretColumn) => ({
  table: 'endpoint',
  column,
  row: merchantId,
  tenant: merchantId,
})
