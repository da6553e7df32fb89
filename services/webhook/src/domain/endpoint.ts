import { ServiceError, validationError } from '@svc/errors'
import { DEFAULT_EVENTS } from '@svc/public-bodies'
import type { SignatureVersion } from './signature.ts'
import { judgeWebhookUrl } from './webhook-url.ts'

/** What a patch may set to null. */
export const CLEARABLE = ['url', 'secret', 'test_url', 'test_secret'] as const
const ROTATION_OVERLAP_MS = 24 * 3_600_000

/** Where one merchant's events go and how they are signed. Secrets are in the clear here and sealed in the table. */
export interface Endpoint {
  merchantId: string
  url: string | null
  enabled: boolean
  secret: string | null
  previousSecret: string | null
  previousSecretExpiresAt: Date | null
  testUrl: string | null
  testSecret: string | null
  events: readonly string[]
  /** Null follows the operator's default. */
  signatureVersion: SignatureVersion | null
  /** Null until the merchant first sets something. */
  updatedAt: Date | null
}

export interface EndpointPatch {
  url?: string
  enabled?: boolean
  secret?: string
  events?: readonly string[]
  signatureVersion?: SignatureVersion
  testUrl?: string
  testSecret?: string
  clearFields: ReadonlyArray<(typeof CLEARABLE)[number]>
}

export interface PatchOptions {
  allowLocal: boolean
  generateSecret: () => string
}

/** The endpoint of a merchant that has set nothing. */
export function blankEndpoint(merchantId: string): Endpoint {
  return {
    merchantId,
    url: null,
    enabled: false,
    secret: null,
    previousSecret: null,
    previousSecretExpiresAt: null,
    testUrl: null,
    testSecret: null,
    events: DEFAULT_EVENTS,
    signatureVersion: null,
    updatedAt: null,
  }
}

/**
 * Applies a patch or throws, changing nothing. An enabled endpoint always has a URL and a secret afterwards: enabling one
 * without a secret makes one, which is returned for this one time.
 */
export function patchEndpoint(
  before: Endpoint,
  patch: EndpointPatch,
  options: PatchOptions,
): { endpoint: Endpoint; generatedSecret: string | null } {
  refuseUrl('url', patch.url, options)
  refuseUrl('test_url', patch.testUrl, options)

  const cleared = new Set(patch.clearFields)
  const endpoint: Endpoint = {
    ...before,
    enabled: patch.enabled ?? before.enabled,
    url: cleared.has('url') ? null : (patch.url ?? before.url),
    secret: cleared.has('secret') ? null : (patch.secret ?? before.secret),
    testUrl: cleared.has('test_url') ? null : (patch.testUrl ?? before.testUrl),
    testSecret: cleared.has('test_secret') ? null : (patch.testSecret ?? before.testSecret),
    events: patch.events ? [...new Set(patch.events)] : before.events,
    signatureVersion: patch.signatureVersion ?? before.signatureVersion,
  }
  // A secret that the merchant replaces or clears by hand is gone at once; only a rotation overlaps.
  if (patch.secret !== undefined || cleared.has('secret')) {
    endpoint.previousSecret = null
    endpoint.previousSecretExpiresAt = null
  }

  if (endpoint.enabled && endpoint.url === null) {
    throw invalid('url', 'required', 'A URL is required while the webhook is enabled.')
  }
  if (endpoint.enabled && cleared.has('secret')) {
    throw invalid('secret', 'required', 'The secret can be cleared only while the webhook is disabled.')
  }
  if (!endpoint.enabled || endpoint.secret !== null) return { endpoint, generatedSecret: null }
  const generatedSecret = options.generateSecret()
  return { endpoint: { ...endpoint, secret: generatedSecret }, generatedSecret }
}

/** Gives the endpoint a new secret; under v2 the previous one stays valid beside it for 24 hours, under v1 it ends at once. */
export function rotateSecret(before: Endpoint, version: SignatureVersion, secret: string, now: Date): Endpoint {
  const overlaps = version === 'v2' && before.secret !== null
  return {
    ...before,
    secret,
    previousSecret: overlaps ? before.secret : null,
    previousSecretExpiresAt: overlaps ? new Date(now.getTime() + ROTATION_OVERLAP_MS) : null,
  }
}

/** Where an event of the given environment goes; sandbox traffic uses the test URL and secret where they are set. */
export function targetOf(
  endpoint: Pick<Endpoint, 'url' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt' | 'testUrl' | 'testSecret'>,
  isTest: boolean,
  now: Date,
): { url: string; secrets: [string, ...string[]] } | null {
  const url = (isTest ? endpoint.testUrl : null) ?? endpoint.url
  const secret = (isTest ? endpoint.testSecret : null) ?? endpoint.secret
  if (url === null || secret === null) return null
  const previousCounts =
    secret === endpoint.secret &&
    endpoint.previousSecret !== null &&
    endpoint.previousSecretExpiresAt !== null &&
    endpoint.previousSecretExpiresAt > now
  return { url, secrets: previousCounts && endpoint.previousSecret ? [secret, endpoint.previousSecret] : [secret] }
}

function refuseUrl(field: string, text: string | undefined, options: PatchOptions): void {
  if (text === undefined) return
  const judged = judgeWebhookUrl(text, options)
  if ('refused' in judged) throw new ServiceError('invalid_webhook_url', { details: { field, rule: judged.refused } })
}

const invalid = (field: string, rule: string, message: string) => validationError([{ field, rule, message }])
