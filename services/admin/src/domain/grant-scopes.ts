import { type MerchantScope, SCOPES } from '@svc/credentials'
import { ServiceError } from '@svc/errors'

interface Granting {
  requested: readonly MerchantScope[]
  held: readonly string[]
  /** May grant any scope that exists. */
  enterpriseTier: boolean
}

/** The scopes of a new key, by default the granter's own; only the enterprise tier grants what it does not hold. */
export function grantScopes({ requested, held, enterpriseTier }: Granting): MerchantScope[] {
  const asked: readonly string[] = requested.length > 0 ? requested : held
  const scopes = scopesInOrder(asked)
  if (!enterpriseTier) assertHolds(held, scopes)
  return scopes
}

/** What a caller may hand out: merchants what they hold, an operator every scope. */
export const scopesToGive = ({ kind, scopes }: { kind: string; scopes: readonly string[] }): readonly string[] =>
  kind === 'admin' ? SCOPES : scopes

/** Each scope that is asked for, once and in the order of all. */
export const scopesInOrder = (asked: readonly string[]): MerchantScope[] =>
  SCOPES.filter((scope) => asked.includes(scope))

/** Throws forbidden, naming what is missing, unless all the scopes are held. */
export function assertHolds(held: readonly string[], scopes: readonly MerchantScope[]): void {
  const missing = scopes.filter((scope) => !held.includes(scope))
  if (missing.length > 0) throw new ServiceError('forbidden', { details: { required: missing } })
}
