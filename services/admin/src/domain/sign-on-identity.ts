/** A person as an identity provider vouches for one. */
export interface SignOnIdentity {
  issuer: string
  /** By which the provider knows the person for good. */
  subject: string
  /** As accounts spell it; undefined where the provider names none that an account could have. */
  email: string | undefined
  /** The provider says that the address is the person's. */
  isVerified: boolean
}

const MAX_SUBJECT = 255

interface Claims {
  readonly [name: string]: unknown
}

/**
 * What the claims say, of which `verifiedClaim` says that the address is the person's; undefined without a subject. An
 * address beyond ASCII counts as none: another letter must not become that of an account by being written small.
 */
export function identityOf(issuer: string, claims: Claims, verifiedClaim: string): SignOnIdentity | undefined {
  const { sub: subject, email: claimed } = claims
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT) return undefined
  const email = typeof claimed === 'string' && /^[\x21-\x7e]{3,320}$/.test(claimed) ? claimed.toLowerCase() : undefined
  return { issuer, subject, email, isVerified: TRUE.has(claims[verifiedClaim]) }
}

/** As providers spell it. */
const TRUE: ReadonlySet<unknown> = new Set([true, 'true', 1, '1'])
