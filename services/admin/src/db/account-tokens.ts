import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'
import type { TokenPurpose, TokenRow } from '../domain/account-token.ts'

/** Tokens that could long not be used any more: until then a late one is told apart from one that never was. */
export const oldAccountTokens: Expiry = { table: 'account_tokens', age: 'expires_at', keep: `interval '7 days'` }

interface NewToken {
  id: string
  merchantId: string
  userId: string
  purpose: TokenPurpose
  hours: number
}

/**
 * Makes the token and ends those of before, of a user whose row is held; `again` where it is there and may still be used,
 * its time begun anew, and `ended` where it was used or replaced.
 */
export async function makeToken(
  tx: Tx,
  { id, merchantId, userId, purpose, hours }: NewToken,
): Promise<'made' | 'again' | 'ended'> {
  const made = await tx.sql(
    `INSERT INTO account_tokens (id, merchant_id, user_id, purpose, expires_at)
     VALUES ($1, $2, $3, $4, app_now() + make_interval(hours => $5)) ON CONFLICT (id) DO NOTHING`,
    [id, merchantId, userId, purpose, hours],
  )
  if (made.rowCount === 1) {
    await tx.sql(
      `UPDATE account_tokens SET ended_at = app_now()
        WHERE user_id = $1 AND purpose = $2 AND ended_at IS NULL AND id <> $3`,
      [userId, purpose, id],
    )
    return 'made'
  }
  const again = await tx.sql(
    'UPDATE account_tokens SET expires_at = app_now() + make_interval(hours => $2) WHERE id = $1 AND ended_at IS NULL',
    [id, hours],
  )
  return again.rowCount === 1 ? 'again' : 'ended'
}

/** What the token stands on now. */
export async function readToken(tx: Tx, id: string): Promise<TokenRow | undefined> {
  const { rows } = await tx.sql<TokenRow>(
    `SELECT merchant_id AS "merchantId", user_id AS "userId", ended_at IS NOT NULL AS "hasEnded",
            expires_at <= app_now() AS "hasExpired" FROM account_tokens WHERE id = $1`,
    [id],
  )
  return rows[0]
}

/** Ends all tokens of a user for the purpose: after one was used, none of them is good. */
export async function endTokens(tx: Tx, userId: string, purpose: TokenPurpose): Promise<void> {
  await tx.sql(
    'UPDATE account_tokens SET ended_at = app_now() WHERE user_id = $1 AND purpose = $2 AND ended_at IS NULL',
    [userId, purpose],
  )
}
