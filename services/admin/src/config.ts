import {
  csv,
  durationMs,
  flag,
  instanceOf,
  integer,
  parseConfig,
  readTogether,
  secretsBase64,
  serviceKnobs,
  statedUrl,
} from '@svc/config'
import { type CallerSecrets, callerSecretsFromEnv } from '@svc/grpc'
import { objectStoreKnobs } from '@svc/object-store'
import { namedKeys } from '@svc/sealing'
import { z } from 'zod'
import type { Audience } from './domain/sign-on-attempt.ts'
import type { ProviderSettings } from './peers/identity-provider.ts'

const jwk = z.string().transform((text, context) => {
  try {
    const parsed = z
      .object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        d: z.string(),
        kid: z.string().optional(),
      })
      .safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
  } catch {
    // Falls through: what is no JSON is no key either.
  }
  context.addIssue({ code: 'custom', message: 'must be a private Ed25519 JWK as JSON' })
  return z.NEVER
})

/** A claim that providers have, or that an operator has made there. */
const claim = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be the name of a claim')

const settingsSchema = z.object({
  ...serviceKnobs,
  adminDatabaseUrl: z.string().min(1),
  adminWorkerUrl: z.string().min(1),
  /** Connections per database role. */
  adminPoolSize: integer.min(1).default(10),
  redisUrl: z.string().min(1),
  redisPrefix: z.string().default(''),
  /** The first keys the digests of API keys and the ids of tokens; keys of another count, and move to the first, while it is named. */
  apiKeyPepper: secretsBase64,
  /**
   * The first keys the hashes of passwords, tokens of mails and log-ins elsewhere; those of another count while it is named,
   * and passwords move to the first.
   */
  passwordPepper: secretsBase64,
  /** Chains the audit log by the first; those of before verify their entries. Whose database it is must not have it. */
  auditKey: namedKeys,
  /** Signs every token. */
  tokenSigningJwk: jwk,
  /** Still verifies, while tokens signed by it live. */
  tokenPreviousJwk: jwk.optional(),
  accessTokenTtlSeconds: integer.min(300).max(86_400).default(3600),
  refreshTokenTtlDays: integer.min(1).max(90).default(30),
  /** Refresh families that one key or user may have alive; with a further one the oldest end. */
  familiesPerCredential: integer.min(1).max(100_000).default(1_000),
  adminTokenTtlSeconds: integer.min(300).max(3600).default(3600),
  /** Break-glass: one of them is exchanged for an admin token with every permission. Unset: the exchange does not exist. */
  adminStaticToken: csv
    .pipe(z.array(z.string().refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes')).min(1))
    .optional(),
  signupEnabled: flag.default(true),
  /** Whether operators log in with e-mail and password; off leaves the static token only. */
  rbacEnabled: flag.default(true),
  /** Whether a login needs a confirmed e-mail address. */
  emailVerificationRequired: flag.default(false),
  /** Failed logins per address and hour, after which even the right password is refused. */
  loginFailuresPerHour: integer.min(1).default(10),

  /** Whether merchants may contest entries of their ledger. */
  commissionDisputeIntakeEnabled: flag.default(false),
  /** What the platform's capture app is told; while it is off, that alone. */
  otaCaptureEnabled: flag.default(false),
  otaCapturePackages: csv.default([]),
  otaCapturePublicKey: z.string().min(1).optional(),

  /** The OpenID provider at which merchants log in, as it names itself; unset: they have their passwords alone. */
  merchantOidcIssuer: z.url().optional(),
  merchantOidcClientId: z.string().min(1).optional(),
  merchantOidcClientSecret: z.string().min(1).optional(),
  /** Our callback as it is registered there; no request names another. */
  merchantOidcRedirectUrl: z.url().optional(),
  /** Where browsers take their tokens, in the fragment; unset: the callback answers with them. */
  merchantOidcSuccessUrl: z.url().optional(),
  /** The claim that says that the provider has seen the address to be the person's. */
  merchantOidcVerifiedClaim: claim.default('email_verified'),
  /** The same for operators. */
  operatorOidcIssuer: z.url().optional(),
  operatorOidcClientId: z.string().min(1).optional(),
  operatorOidcClientSecret: z.string().min(1).optional(),
  operatorOidcRedirectUrl: z.url().optional(),
  operatorOidcSuccessUrl: z.url().optional(),
  operatorOidcVerifiedClaim: claim.default('email_verified'),
  /** Whether identity providers may be at addresses that are not public, such as the operator's own network. */
  oidcPrivateAddresses: flag.default(false),
  /** Of one request to an identity provider; a log-in makes up to four. */
  oidcTimeoutMs: durationMs.pipe(z.number().min(1_000).max(60_000)).default(5_000),
  // Of documents of businesses.
  ...objectStoreKnobs,
  /** ClamAV's daemon, which looks for viruses in them; unset: they stay unscanned, and no operator can open one. */
  clamdAddress: z
    .string()
    .regex(/^(\/.+|[^\s/]+:\d{1,5})$/, 'must be host:port or the path of a socket')
    .optional(),

  /** Base URL of the mail provider; `none`: nobody gets a mail about an account. */
  mailApiUrl: statedUrl,
  mailApiKey: z.string().default(''),
  mailFrom: z.string().default('Delivery Dispatch <no-reply@delivery-dispatch.example>'),
  /** Below which the operator serves the pages that mails link to. Never taken from a request. */
  accountPagesUrl: z.url().optional(),
})

const schema = settingsSchema
  .refine(({ mailApiUrl, accountPagesUrl }) => mailApiUrl === undefined || accountPagesUrl !== undefined, {
    path: ['accountPagesUrl'],
    message: 'is missing: mails link to pages below it',
  })
  .refine(
    ({ nodeEnv, accountPagesUrl = 'https:' }) => nodeEnv !== 'production' || accountPagesUrl.startsWith('https:'),
    {
      path: ['accountPagesUrl'],
      message: 'must be https: what a mail links to holds a token',
    },
  )
  .refine(({ emailVerificationRequired, mailApiUrl }) => !emailVerificationRequired || mailApiUrl !== undefined, {
    path: ['mailApiUrl'],
    message: 'must not be none where log-ins need a confirmed address: nobody could confirm one',
  })

  .superRefine((settings, context) => {
    for (const audience of ['merchant', 'operator'] as const)
      for (const { knob, message } of signOnProblems(settings, audience))
        context.addIssue({ code: 'custom', path: [`${audience}Oidc${knob}`], message })
  })

export type Settings = z.output<typeof schema>

export interface Config extends Settings {
  instance: string
  callerSecrets: CallerSecrets
}

/** The configuration of this process; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { settings, ...secrets } = readTogether({
    settings: () => parseConfig(schema, env),
    callerSecrets: () => callerSecretsFromEnv('admin', env),
  })
  return { ...settings, ...secrets, instance: instanceOf(settings) }
}

const CALLBACKS = {
  merchant: '/v1/public/auth/merchant-oidc/callback',
  operator: '/v1/admin/auth/oidc/callback',
} as const

/** The identity provider of the audience; null where there is none. */
export function providerSettings(settings: Knobs, audience: Audience): ProviderSettings | null {
  const { Issuer: issuer, ClientId: clientId, ...knobs } = knobsOf(settings, audience)
  const { ClientSecret: clientSecret, RedirectUrl: redirectUrl, SuccessUrl: successUrl } = knobs
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || redirectUrl === undefined)
    return null
  const isInsecure = settings.nodeEnv !== 'production' && issuer.startsWith('http:')
  return { issuer, clientId, clientSecret, redirectUrl, successUrl, verifiedClaim: knobs.VerifiedClaim, isInsecure }
}

type Knobs = z.output<typeof settingsSchema>

const knobsOf = (settings: Knobs, audience: Audience) => ({
  Issuer: settings[`${audience}OidcIssuer`],
  ClientId: settings[`${audience}OidcClientId`],
  ClientSecret: settings[`${audience}OidcClientSecret`],
  RedirectUrl: settings[`${audience}OidcRedirectUrl`],
  SuccessUrl: settings[`${audience}OidcSuccessUrl`],
  VerifiedClaim: settings[`${audience}OidcVerifiedClaim`],
})

/** All of it or nothing; nothing secret leaves without TLS, and no address of ours could be read in two ways. */
function* signOnProblems(settings: Knobs, audience: Audience): Generator<{ knob: string; message: string }> {
  const knobs = knobsOf(settings, audience)
  const needed = ['Issuer', 'ClientId', 'ClientSecret', 'RedirectUrl'] as const
  // A secret alone, as a store hands it to every installation, configures nothing.
  const isWanted = (['Issuer', 'ClientId', 'RedirectUrl', 'SuccessUrl'] as const).some(
    (knob) => knobs[knob] !== undefined,
  )
  if (!isWanted) return
  for (const knob of needed) if (knobs[knob] === undefined) yield { knob, message: 'is missing' }
  for (const knob of ['Issuer', 'RedirectUrl', 'SuccessUrl'] as const) {
    const url = knobs[knob]
    if (url === undefined) continue
    const { protocol, hash, search, username, password } = new URL(url)
    const isPage = protocol === 'https:' || (protocol === 'http:' && settings.nodeEnv !== 'production')
    if (!isPage) yield { knob, message: 'must be https' }
    if (hash || url.endsWith('#') || username || password)
      yield { knob, message: 'must have neither a fragment nor a user' }
    if (search && knob !== 'SuccessUrl') yield { knob, message: 'must have no query' }
  }
  if (knobs.RedirectUrl !== undefined && !new URL(knobs.RedirectUrl).pathname.endsWith(CALLBACKS[audience]))
    yield { knob: 'RedirectUrl', message: `must end in ${CALLBACKS[audience]}` }
}
