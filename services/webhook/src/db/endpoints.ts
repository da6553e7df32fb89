import { createLogger } from '@svc/logging'
import type { SecretBox } from '@svc/sealing'
import type { Tx } from '@svc/transact'
import { blankEndpoints, type Endpoint, type Endpoints, type SandboxEndpoint } from '../domain/endpoint.ts'
import type { SignatureVersion } from '../domain/signature.ts'
import { query } from './query.ts'

const logger = createLogger('webhook.endpoints')

/** The columns from which an attempt learns where to send and how to sign. */
export interface EndpointColumns {
  merchant_id: string
  url: string | null
  enabled: boolean
  secret: string | null
  previous_secret: string | null
  previous_secret_expires_at: Date | null
  signature_version: SignatureVersion | null
  test_url: string | null
  test_enabled: boolean | null
  test_secret: string | null
  test_previous_secret: string | null
  test_previous_secret_expires_at: Date | null
  test_signature_version: SignatureVersion | null
}

interface EndpointRow extends EndpointColumns {
  events: string[]
  disabled_reason: string | null
  updated_at: Date | null
  test_disabled_reason: string | null
  test_events: string[] | null
  test_updated_at: Date | null
}

/** The merchant's endpoints, blank when it has set nothing; with `lock` no other transaction changes it until the commit. */
export async function findEndpoints(
  tx: Pick<Tx, 'sql'>,
  box: SecretBox,
  merchantId: string,
  options: { lock?: boolean } = {},
): Promise<Endpoints> {
  // A missing row cannot be locked: the advisory lock orders the first two patches of one merchant.
  if (options.lock) await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`endpoint ${merchantId}`])
  const [row] = await query<EndpointRow>(tx, 'SELECT * FROM endpoint WHERE merchant_id = $1', [merchantId])
  return row ? endpointsOf(box, row) : blankEndpoints(merchantId)
}

/** The endpoints of each of these merchants, in their order, whatever tenant they are. */
export async function findEndpointsOfAll(
  tx: Pick<Tx, 'sql'>,
  box: SecretBox,
  merchantIds: readonly string[],
): Promise<Endpoints[]> {
  const rows = await query<EndpointRow>(tx, 'SELECT * FROM endpoint WHERE merchant_id = ANY ($1::uuid[])', [
    merchantIds,
  ])
  const ofMerchant = new Map(rows.map((row) => [row.merchant_id, endpointsOf(box, row)]))
  return merchantIds.map((id) => ofMerchant.get(id.toLowerCase()) ?? blankEndpoints(id))
}

/** The events that a merchant lists, by environment. */
export interface ListedEvents {
  live: ReadonlySet<string>
  sandbox: ReadonlySet<string>
}

/** The events that each of these merchants lists, whether its endpoints are enabled or not. */
export async function listedEvents(tx: Tx, merchantIds: readonly string[]): Promise<Map<string, ListedEvents>> {
  const rows = await query<{ merchant_id: string; live: string[]; sandbox: string[] }>(
    tx,
    `SELECT merchant_id, events AS live, coalesce(test_events, events) AS sandbox
       FROM endpoint WHERE merchant_id = ANY ($1::uuid[])`,
    [merchantIds],
  )
  return new Map(rows.map((row) => [row.merchant_id, { live: new Set(row.live), sandbox: new Set(row.sandbox) }]))
}

function endpointsOf(box: SecretBox, row: EndpointRow): Endpoints {
  const { merchantId, live, sandbox } = openColumns(box, row)
  return {
    merchantId,
    live: { ...live, events: row.events, disabledReason: row.disabled_reason, updatedAt: row.updated_at },
    sandbox: {
      ...sandbox,
      events: row.test_events,
      disabledReason: row.test_disabled_reason,
      updatedAt: row.test_updated_at,
    },
  }
}

/**
 * Opens the secrets of an endpoint row; which events are wanted is none of an attempt's business. One that cannot be
 * opened counts as none and spoils no other: its merchant sees that, and sets another.
 */
export function openColumns(box: SecretBox, row: EndpointColumns): Endpoints {
  const open = (column: SecretColumn) => {
    const sealed = row[column]
    try {
      return sealed === null ? null : box.open(placeOf(row.merchant_id, column), sealed)
    } catch (err) {
      logger.error({ err, merchant_id: row.merchant_id, column }, 'a secret of an endpoint cannot be opened')
      return null
    }
  }
  const { merchantId, live, sandbox } = blankEndpoints(row.merchant_id)
  return {
    merchantId,
    live: {
      ...live,
      url: row.url,
      enabled: row.enabled,
      secret: open('secret'),
      previousSecret: open('previous_secret'),
      previousSecretExpiresAt: row.previous_secret_expires_at,
      signatureVersion: row.signature_version,
    },
    sandbox: {
      ...sandbox,
      url: row.test_url,
      enabled: row.test_enabled,
      secret: open('test_secret'),
      previousSecret: open('test_previous_secret'),
      previousSecretExpiresAt: row.test_previous_secret_expires_at,
      signatureVersion: row.test_signature_version,
    },
  }
}

/**
 * Stores what has changed: the live endpoint with what stands beside it of the sandbox, or the sandbox one alone. It
 * lets waiting deliveries be looked at: a new URL may answer where the old one did not.
 */
export async function saveEndpoints(
  tx: Tx,
  box: SecretBox,
  { merchantId, live, sandbox }: Endpoints,
  { before, onlySandbox }: { before: Endpoints; onlySandbox: boolean },
): Promise<void> {
  // By the first one to set anything; `enabled` wants the URL and the secret beside it.
  await query(
    tx,
    'INSERT INTO endpoint (merchant_id, enabled, events) VALUES ($1, false, $2) ON CONFLICT (merchant_id) DO NOTHING',
    [merchantId, blankEndpoints(merchantId).live.events],
  )
  const sealFor = { box, merchantId }
  await saveEnvironment(tx, sealFor, 'test_', sandbox, before.sandbox)
  if (!onlySandbox) await saveEnvironment(tx, sealFor, '', live, before.live)
  await query(
    tx,
    `UPDATE lane SET due_at = app_now(), open_until = NULL, consecutive_failures = 0, failing_since = NULL
      WHERE (merchant_id, is_test) IN
        (SELECT merchant_id, is_test FROM lane WHERE merchant_id = $1 AND (is_test OR NOT $2)
          ORDER BY merchant_id, is_test FOR UPDATE)`,
    [merchantId, onlySandbox],
  )
  await query(tx, 'DELETE FROM alert WHERE merchant_id = $1 AND sent_at IS NOT NULL AND (is_test OR NOT $2)', [
    merchantId,
    onlySandbox,
  ])
}

/**
 * The columns of an environment are named alike. Secrets are written only when they change: one that cannot be opened
 * here and now is not lost to a change of something else.
 */
async function saveEnvironment(
  tx: Tx,
  { box, merchantId }: { box: SecretBox; merchantId: string },
  prefix: '' | 'test_',
  endpoint: Endpoint | SandboxEndpoint,
  before: Endpoint | SandboxEndpoint,
): Promise<void> {
  const seal = (column: SecretColumn, secret: string | null) =>
    secret === null ? null : box.seal(placeOf(merchantId, column), secret)
  const areSecretsKept = endpoint.secret === before.secret && endpoint.previousSecret === before.previousSecret
  const secrets = {
    secret: seal(`${prefix}secret`, endpoint.secret),
    previous_secret: seal(`${prefix}previous_secret`, endpoint.previousSecret),
    previous_secret_expires_at: endpoint.previousSecretExpiresAt,
  }
  const columns = {
    ...(areSecretsKept ? {} : secrets),
    url: endpoint.url,
    enabled: endpoint.enabled,
    events: endpoint.events,
    signature_version: endpoint.signatureVersion,
    updated_at: endpoint.updatedAt,
    disabled_reason: endpoint.disabledReason,
  }
  const set = Object.keys(columns).map((column, index) => `${prefix}${column} = $${index + 2}`)
  await query(tx, `UPDATE endpoint SET ${set.join(', ')} WHERE merchant_id = $1`, [
    merchantId,
    ...Object.values(columns),
  ])
}

type SecretColumn = 'secret' | 'previous_secret' | 'test_secret' | 'test_previous_secret'

const placeOf = (merchantId: string, column: SecretColumn) => ({
  table: 'endpoint',
  column,
  row: merchantId,
  tenant: merchantId,
})
