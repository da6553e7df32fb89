import { ServiceError, validationError } from '@svc/errors'
import { DEFAULT_EVENTS } from '@svc/public-bodies'
import type { SignatureVersion } from './signature.ts'
import { type Admission, judgeWebhookUrl } from './webhook-url.ts'

/** What a patch may set to null. */
export const CLEARABLE = ['url', 'secret', 'test_url', 'test_secret'] as const
const ROTATION_OVERLAP_MS = 24 * 3_600_000

/**
 * Where the events of one environment go, how they are signed, and which of them are wanted. Secrets are in the clear here
 * and sealed in the table.
 */
export interface Endpoint {
  url: string | null
  enabled: boolean
  secret: string | null
  previousSecret: string | null
  previousSecretExpiresAt: Date | null
  events: readonly string[]
  /** Null follows the operator's default. */
  signatureVersion: SignatureVersion | null
  /** Why we disabled it; null where its merchant did, or while it is enabled. */
  disabledReason: string | null
  /** Null until it is first set. */
  updatedAt: Date | null
}

/** What is set of the sandbox; what is null follows the live endpoint, or is blank to those who may not see that one. */
export interface SandboxEndpoint extends Omit<Endpoint, 'enabled' | 'events'> {
  /** Null until a test credential sets something: a test URL that was set beside the live one follows that one's. */
  enabled: boolean | null
  events: readonly string[] | null
}

/** The endpoints of one merchant. */
export interface Endpoints {
  merchantId: string
  live: Endpoint
  sandbox: SandboxEndpoint
}

export interface EndpointPatch {
  url?: string | undefined
  enabled?: boolean | undefined
  secret?: string | undefined
  events?: readonly string[] | undefined
  signatureVersion?: SignatureVersion | undefined
  testUrl?: string | undefined
  testSecret?: string | undefined
  clearFields: ReadonlyArray<(typeof CLEARABLE)[number]>
}

export interface PatchOptions extends Admission {
  generateSecret: () => string
  now: Date
}

const BLANK: Endpoint = {
  url: null,
  enabled: false,
  secret: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
  events: DEFAULT_EVENTS,
  signatureVersion: null,
  disabledReason: null,
  updatedAt: null,
}

/** The endpoints of a merchant that has set nothing. */
export const blankEndpoints = (merchantId: string): Endpoints => ({
  merchantId,
  live: BLANK,
  sandbox: { ...BLANK, enabled: null, events: null },
})

/** The sandbox endpoint by itself, as test credentials see and change it: nothing of the live one's URL and secrets is in it. */
export function ownSandbox({ live, sandbox }: Endpoints): Endpoint {
  const { enabled, events, signatureVersion } = sandbox.url !== null && sandbox.enabled === null ? live : BLANK
  return {
    ...sandbox,
    enabled: sandbox.enabled ?? enabled,
    events: sandbox.events ?? events,
    signatureVersion: sandbox.signatureVersion ?? signatureVersion,
  }
}

/**
 * Where the events of an environment really go: those of the sandbox to the live endpoint where the sandbox has no URL,
 * and then with all that is set of that one, so that no test credential alters what the live URL gets.
 * db/functions/endpoint-enabled.sql.ts and endpoint-wants.sql.ts say the same.
 */
export function workingEndpoint({ live, sandbox }: Endpoints, isTest: boolean): Endpoint {
  if (!isTest || sandbox.url === null) return live
  const follows = sandbox.enabled === null
  const base = follows ? live : BLANK
  const signedBy = sandbox.secret === null ? base : sandbox
  return {
    url: sandbox.url,
    enabled: sandbox.enabled ?? live.enabled,
    secret: signedBy.secret,
    previousSecret: signedBy.previousSecret,
    previousSecretExpiresAt: signedBy.previousSecretExpiresAt,
    events: sandbox.events ?? live.events,
    signatureVersion: follows ? live.signatureVersion : sandbox.signatureVersion,
    disabledReason: follows ? live.disabledReason : sandbox.disabledReason,
    updatedAt: sandbox.updatedAt,
  }
}

/** Without a URL of its own the sandbox goes to the live endpoint, and no test credential has anything sent there again. */
export function assertMayRepeat(isTest: boolean | null, { sandbox }: Endpoints): void {
  if (isTest !== true || sandbox.url !== null) return
  throw invalid('url', 'required', 'Set a url for the sandbox before anything is sent again.')
}

/**
 * Applies the patch of a live or log-in credential, or of an operator, or throws, changing nothing: its test URL and
 * secret name those of the sandbox endpoint.
 */
export function patchEndpoints(before: Endpoints, patch: EndpointPatch, options: PatchOptions): Patched {
  refuseUrl('test_url', patch.testUrl, options)
  const { endpoint: live, generatedSecret } = patchEndpoint(before.live, patch, options)
  return { endpoints: { ...before, live, sandbox: patchBeside(before.sandbox, patch) }, generatedSecret }
}

/** Applies the patch of a test credential to the sandbox endpoint, which every field names, or throws, changing nothing. */
export function patchSandbox(before: Endpoints, patch: EndpointPatch, options: PatchOptions): Patched {
  const { testUrl, testSecret, clearFields, ...rest } = patch
  const own: EndpointPatch = {
    ...rest,
    url: testUrl ?? patch.url,
    secret: testSecret ?? patch.secret,
    clearFields: clearFields.map((field) => SANDBOX_NAMES[field]),
  }
  const { endpoint: sandbox, generatedSecret } = patchEndpoint(ownSandbox(before), own, options)
  return { endpoints: { ...before, sandbox }, generatedSecret }
}

const SANDBOX_NAMES = { url: 'url', test_url: 'url', secret: 'secret', test_secret: 'secret' } as const

interface Patched {
  endpoints: Endpoints
  /** To be shown this one time. */
  generatedSecret: string | null
}

/**
 * Applies a patch or throws, changing nothing. An enabled endpoint always has a URL and a secret afterwards: enabling one
 * without a secret makes one, which is returned for this one time.
 */
function patchEndpoint(
  before: Endpoint,
  patch: EndpointPatch,
  options: PatchOptions,
): { endpoint: Endpoint; generatedSecret: string | null } {
  refuseUrl('url', patch.url, options)
  const cleared = new Set(patch.clearFields)
  const endpoint: Endpoint = {
    ...before,
    enabled: patch.enabled ?? before.enabled,
    url: cleared.has('url') ? null : (patch.url ?? before.url),
    ...withSecret(before, cleared.has('secret') ? null : patch.secret),
    events: patch.events ? [...new Set(patch.events)] : before.events,
    signatureVersion: patch.signatureVersion ?? before.signatureVersion,
    disabledReason: patch.enabled === true ? null : before.disabledReason,
    updatedAt: options.now,
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

/**
 * The test URL and secret that are set beside the live ones. What appears or is cleared so follows the live endpoint.
 * What we disabled for its silence is enabled with the live one.
 */
function patchBeside(earlier: SandboxEndpoint, patch: EndpointPatch): SandboxEndpoint {
  const { testUrl, testSecret, clearFields } = patch
  const before = patch.enabled === true && earlier.disabledReason !== null ? enabledAgain(earlier) : earlier
  const [dropsUrl, dropsSecret] = [clearFields.includes('test_url'), clearFields.includes('test_secret')]
  const appears = testUrl !== undefined && before.url === null
  return {
    ...before,
    url: dropsUrl ? null : (testUrl ?? before.url),
    ...withSecret(before, dropsSecret ? null : testSecret),
    enabled: dropsUrl || dropsSecret || appears ? null : before.enabled,
  }
}

/** One that a test credential had set stands by itself again; one that followed the live endpoint follows it. */
const enabledAgain = (sandbox: SandboxEndpoint): SandboxEndpoint => ({
  ...sandbox,
  enabled: sandbox.updatedAt !== null && sandbox.secret !== null ? true : null,
  disabledReason: null,
})

/** A secret that the merchant replaces or clears by hand is gone at once; only a rotation overlaps. */
const withSecret = (
  { secret, previousSecret, previousSecretExpiresAt }: Pick<Endpoint, SecretField>,
  changed: string | null | undefined,
): Pick<Endpoint, SecretField> =>
  changed === undefined
    ? { secret, previousSecret, previousSecretExpiresAt }
    : { secret: changed, previousSecret: null, previousSecretExpiresAt: null }

type SecretField = 'secret' | 'previousSecret' | 'previousSecretExpiresAt'

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

/** Where an attempt goes and what signs it. */
export interface Target {
  url: string
  secrets: [string, ...string[]]
  /** Null follows the operator's default. */
  signatureVersion: SignatureVersion | null
}

/** Where an attempt goes now; null while a URL or a secret is missing. */
export function targetOf(endpoint: Endpoint, now: Date): Target | null {
  const { url, secret, previousSecret, previousSecretExpiresAt, signatureVersion } = endpoint
  if (url === null || secret === null) return null
  const overlaps = previousSecret !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  return { url, secrets: overlaps ? [secret, previousSecret] : [secret], signatureVersion }
}

function refuseUrl(field: string, text: string | undefined, options: PatchOptions): void {
  if (text === undefined) return
  const judged = judgeWebhookUrl(text, options)
  if ('refused' in judged) throw new ServiceError('invalid_webhook_url', { details: { field, rule: judged.refused } })
}

const invalid = (field: string, rule: string, message: string) => validationError([{ field, rule, message }])
