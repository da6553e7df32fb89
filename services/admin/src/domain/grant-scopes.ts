import { isScope, type MerchantScope, SCOPES } from '@svc/credentials'
import { ServiceError, validationError } from '@svc/errors'

interface Granting {
  requested: readonly string[]
  held: readonly string[]
  /** May grant any scope that exists. */
  enterpriseTier: boolean
}

/** The scopes of a new key, by default the granter's own; nobody but the enterprise tier grants what it does not hold. */
export function grantScopes({ requested, held, enterpriseTier }: Granting): MerchantScope[] {
  const unknown = requested.findIndex((scope) => !isScope(scope))
  if (unknown >= 0)
    throw validationError([
      { field: `scopes[${unknown}]`, rule: 'enum', message: 'scopes holds an unknown scope.', allowed: SCOPES },
    ])
  const asked = requested.length > 0 ? requested : held
  const scopes = SCOPES.filter((scope) => asked.includes(scope))
  if (!enterpriseTier) assertHolds(held, scopes)
  return scopes
}

/** Throws forbidden, naming what is missing, unless all the scopes are held. */
export function assertHolds(held: readonly string[], scopes: readonly MerchantScope[]): void {
  const missing = scopes.filter((scope) => !held.includes(scope))
  if (missing.length > 0) throw new ServiceError('forbidden', { details: { required: missing } })
}
