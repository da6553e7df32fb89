import type { Credential } from '@svc/credentials'
import type { Database } from '@svc/database'

/** What a key is good for now. */
export type KeyVerdict = { verdict: 'invalid' } | { verdict: 'active' | 'revoked' | 'suspended'; row: KeyVerdictRow }

/** What a token's session is good for now; without a row it is an operator's, or there is none. */
export type SessionVerdict =
  | { verdict: 'revoked' }
  | { verdict: 'active'; epoch: number }
  | { verdict: 'active' | 'revoked' | 'suspended'; row: SessionVerdictRow }

interface StandingRow {
  merchant_id: string
  billing_status: string
  kyb_status: string
  business_approval_status: string
}

export interface KeyVerdictRow extends StandingRow {
  key_id: string
  secret_hmac: Buffer
  is_test: boolean
  scopes: string[]
  enterprise_tier: boolean
  made_by_operator: boolean
  epoch: number
  revoked: boolean
  suspended: boolean
  /** When this was asked, by the clock of the database. */
  asked_at: Date
}

const STANDING = 'm.id AS merchant_id, m.billing_status, m.kyb_status, m.business_approval_status'
/** Compared with an id, and not built from one, so that an index finds it. */
const idBehind = (kind: 'key' | 'user' | 'rider') =>
  `(CASE WHEN s.credential LIKE '${kind}:%' THEN substr(s.credential, ${kind.length + 2}) END)`
const SUSPENDED = `(NOT k.is_test AND NOT (m.kyb_status = 'verified' AND m.business_approval_status = 'approved'))`

/** What there is to know of keys, for whichever tenant: one prepared statement, as it runs at every cache miss. */
export async function readKeyVerdicts(database: Database, keyIds: readonly string[]): Promise<KeyVerdictRow[]> {
  const { rows } = await database.worker.query<KeyVerdictRow>({
    name: 'key-verdicts',
    text: `
      SELECT k.key_id, k.secret_hmac, k.is_test, k.scopes, k.enterprise_tier, k.epoch,
             k.made_by_operator IS NOT NULL AS made_by_operator,
             k.revoked_at IS NOT NULL AS revoked, ${SUSPENDED} AS suspended, ${STANDING},
             app_now() AS asked_at
        FROM api_keys k JOIN merchants m ON m.id = k.merchant_id WHERE k.key_id = ANY ($1)`,
    values: [keyIds],
  })
  return rows
}

/** Without a standing where the token is a rider's and bound to no merchant. */
export type SessionVerdictRow = SessionEpochs & MinterRow & (StandingRow | { merchant_id: null })

/** The key behind a token: the one that minted a rider's, where one did. */
interface MinterRow {
  minted_by: Credential | null
  minter_epoch: number | null
  minter_scopes: string[] | null
  rider_logs_in: boolean
  /** Of the key behind the token, be it the token's own or its minter. */
  made_by_operator: boolean
}

interface SessionEpochs {
  epoch: number
  session_epoch: number
  revoked: boolean
  suspended: boolean
}

/** What there is to know of a session and the key, user or rider behind it. */
export async function readSessionVerdict(
  database: Database,
  credential: string,
  sessionId: string,
): Promise<SessionVerdictRow | undefined> {
  const { rows } = await database.worker.query<SessionVerdictRow>({
    name: 'session-verdict',
    text: `
      SELECT coalesce(k.epoch, u.epoch, r.epoch) AS epoch, s.epoch AS session_epoch,
             s.revoked_at IS NOT NULL OR k.revoked_at IS NOT NULL OR minter.revoked_at IS NOT NULL
               OR s.minted_by IS NOT NULL AND minter.key_id IS NULL
               OR coalesce(s.key_rotations <> k.rotations, false) AS revoked,
             s.minted_by, minter.epoch AS minter_epoch, minter.scopes AS minter_scopes,
             r.logged_in_at IS NOT NULL AS rider_logs_in,
             coalesce(k.made_by_operator, minter.made_by_operator) IS NOT NULL AS made_by_operator,
             coalesce(${SUSPENDED}, false) AS suspended, ${STANDING}
        FROM sessions s LEFT JOIN merchants m ON m.id = s.merchant_id
        LEFT JOIN api_keys k ON k.key_id = ${idBehind('key')}
        LEFT JOIN api_keys minter ON minter.key_id = substr(s.minted_by, length('key:') + 1)
        LEFT JOIN users u ON u.id = ${idBehind('user')}::uuid
        LEFT JOIN rider_credentials r ON r.rider_id = ${idBehind('rider')}::uuid
       WHERE s.id = $1 AND s.credential = $2 AND coalesce(k.epoch, u.epoch, r.epoch) IS NOT NULL`,
    values: [sessionId, credential],
  })
  return rows[0]
}
