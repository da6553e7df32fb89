import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'
import * as oidc from 'openid-client'
import type { SignOnAttempt } from '../domain/sign-on-attempt.ts'
import { identityOf, type SignOnIdentity } from '../domain/sign-on-identity.ts'
import { unauthorized } from '../domain/unauthorized.ts'
import type { ProviderFetch } from './provider-fetch.ts'

const logger = createLogger('identity-provider')

/** For so long a provider's description of itself is believed; its keys are asked for again every five minutes. */
const KEPT_MS = 3_600_000
const CLOCK_TOLERANCE_SECONDS = 30
/** What a provider answers with in place of a code: anybody can write it into a callback. */
const PROVIDER_ERROR = /^[a-z_]{1,64}$/
const BUSY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** Our callback, as registered there. */
  redirectUrl: string
  verifiedClaim: string
  /** Where a browser takes its tokens; undefined: they are the answer. */
  successUrl: string | undefined
  /** A provider on this machine, without TLS. */
  isInsecure: boolean
}

/** What a browser came back with. */
export interface ProviderAnswer {
  state?: string | undefined
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

export interface IdentityProvider {
  successUrl: string | undefined
  /** Where the browser goes for the attempt. */
  urlOf(attempt: SignOnAttempt): Promise<string>
  /** Who has logged in there for the attempt. 401 where the provider vouches for nobody, 503 where it does not answer. */
  identityOf(answer: ProviderAnswer, attempt: SignOnAttempt): Promise<SignOnIdentity>
}

/** An OpenID provider, by the authorization code flow with PKCE. Its signature is verified although TLS brings the token. */
export function identityProvider(settings: ProviderSettings, { fetch }: ProviderFetch): IdentityProvider {
  const { redirectUrl, verifiedClaim, successUrl, issuer } = settings
  let known: { configuration: Promise<oidc.Configuration>; until: number } | undefined

  /** Those that ask at once wait for one answer; a failure is not kept. */
  function configured(): Promise<oidc.Configuration> {
    if (known && known.until > Date.now()) return known.configuration
    const configuration = discover(settings, fetch)
    known = { configuration, until: Date.now() + KEPT_MS }
    configuration.catch(() => {
      if (known?.configuration === configuration) known = undefined
    })
    return configuration
  }

  return {
    successUrl,

    async urlOf({ state, nonce, verifier }) {
      const url = oidc.buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },

    async identityOf(answer, { state, nonce, verifier }) {
      const configuration = await configured()
      const callback = new URL(redirectUrl)
      for (const [name, value] of Object.entries(answer)) if (value) callback.searchParams.set(name, value)
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims || claims.iss !== issuer) throw unauthorized('invalid')
        // Some providers tell the address where the person is described, not in the token.
        const isThin = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        const told = isThin ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
        const identity = identityOf(issuer, { ...told, sub: claims.sub }, verifiedClaim)
        if (!identity) throw unauthorized('invalid')
        return identity
      } catch (error) {
        throw refusalOf(error, issuer)
      }
    },
  }
}

async function discover(
  { issuer, clientId, clientSecret, isInsecure }: ProviderSettings,
  fetch: oidc.CustomFetch,
): Promise<oidc.Configuration> {
  try {
    const configuration = await oidc.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      (...request) => clientAuthentication(request[0])(clientSecret)(...request),
      {
        [oidc.customFetch]: fetch,
        execute: [oidc.enableNonRepudiationChecks, ...(isInsecure ? [oidc.allowInsecureRequests] : [])],
      },
    )
    assertDescribes(issuer, configuration.serverMetadata(), isInsecure)
    return configuration
  } catch (err) {
    throw unavailable(issuer, err)
  }
}

/** By header as the standard has it, in the body where the provider takes nothing else. */
const clientAuthentication = ({ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata) =>
  methods && !methods.includes('client_secret_basic') ? oidc.ClientSecretPost : oidc.ClientSecretBasic

/**
 * The description is of exactly that issuer: providers that describe all their tenants at once let each of these vouch for
 * any address. A browser is sent nowhere but to a page.
 */
function assertDescribes(issuer: string, described: oidc.ServerMetadata, isInsecure: boolean): void {
  if (described.issuer !== issuer) throw new Error(`it names itself ${described.issuer}`)
  const { protocol } = new URL(described.authorization_endpoint ?? '')
  if (protocol !== 'https:' && !(isInsecure && protocol === 'http:')) throw new Error(`its page is at ${protocol}`)
}

/** What is wrong with the provider and not with who logs in. */
const UNAVAILABLE: ReadonlySet<string | undefined> = new Set([
  undefined,
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

function refusalOf(error: unknown, issuer: string): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof oidc.AuthorizationResponseError) {
    if (BUSY.has(error.error)) return unavailable(issuer, error)
    const named = PROVIDER_ERROR.test(error.error) ? { provider_error: error.error } : {}
    const message = 'The identity provider did not log you in: begin again, or ask who runs it.'
    return new ServiceError('unauthorized', { message, details: { reason: 'refused_by_provider', ...named } })
  }
  if (error instanceof oidc.ResponseBodyError) {
    return error.error === 'invalid_grant' ? unauthorized('invalid') : unavailable(issuer, error)
  }
  if (error instanceof oidc.ClientError && !UNAVAILABLE.has(error.code)) {
    logger.warn({ issuer, code: error.code }, 'an identity provider vouched for nobody')
    return unauthorized('invalid')
  }
  return unavailable(issuer, error)
}

function unavailable(issuer: string, err: unknown): ServiceError {
  if (err instanceof ServiceError) return err
  // Its answers may hold tokens.
  const { message, code, cause } = err as Error & { code?: string }
  const reason = cause instanceof Error ? cause.message : undefined
  logger.error({ issuer, code, message, reason }, 'an identity provider cannot be used')
  return new ServiceError('service_unavailable', { message: 'The identity provider does not answer as it should.' })
}
