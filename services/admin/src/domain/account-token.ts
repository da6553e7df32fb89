import { digestEquals, digestsOf, type Peppers } from '@svc/credentials'
import { ServiceError } from '@svc/errors'

/** What a token that came by mail is good for. */
export type TokenPurpose = 'email_verification' | 'password_reset'

/** For how long. */
export const TOKEN_HOURS = { email_verification: 48, password_reset: 1 } as const satisfies Record<TokenPurpose, number>

/** What a token stands on, as far as it is judged. */
export interface TokenRow {
  merchantId: string
  userId: string
  hasEnded: boolean
  hasExpired: boolean
}

const LENGTH = 64

/**
 * The token of that id: the id and its digest under the first pepper. Nothing but the id is stored, so who reads the database has
 * no token, and a mail that is sent again holds the same one.
 */
export const accountToken = (peppers: Peppers, purpose: TokenPurpose, id: string): string =>
  accountTokens(peppers, purpose, id)[0]

/** By each of the peppers, in their order. */
function accountTokens(peppers: Peppers, purpose: TokenPurpose, id: string): [string, ...string[]] {
  const name = Buffer.from(id.replaceAll('-', ''), 'hex')
  const tokenOf = (digest: Buffer) => Buffer.concat([name, digest]).toString('base64url')
  const [first, ...others] = digestsOf(peppers, `account-token:${purpose}:${id}`)
  return [tokenOf(first), ...others.map(tokenOf)]
}

/** The id in a token that we have made for the purpose, by whichever of the peppers; throws for any other text. */
export function idOfToken(peppers: Peppers, purpose: TokenPurpose, token: string): string {
  const given = Buffer.from(token)
  const id = Buffer.from(token.slice(0, LENGTH), 'base64url')
    .toString('hex', 0, 16)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const isOurs = accountTokens(peppers, purpose, id).some((token) => digestEquals(given, Buffer.from(token)))
  if (!isOurs) throw invalidToken()
  return id
}

/** Throws for one that was used or replaced, or that there never was, and for one whose time is over. */
export function assertGood(row: TokenRow | undefined): TokenRow {
  if (!row || row.hasEnded) throw invalidToken()
  if (row.hasExpired) throw new ServiceError('token_expired')
  return row
}

function invalidToken(): ServiceError {
  return new ServiceError('invalid_token', { details: { field: 'token' } })
}
