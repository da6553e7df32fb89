import {
  csv,
  flag,
  instanceOf,
  integer,
  parseConfig,
  readTogether,
  secretBase64,
  serviceKnobs,
  statedUrl,
} from '@svc/config'
import { type CallerSecrets, callerSecretsFromEnv } from '@svc/grpc'
import { namedKeys } from '@svc/sealing'
import { z } from 'zod'

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

const settingsSchema = z.object({
  ...serviceKnobs,
  adminDatabaseUrl: z.string().min(1),
  adminWorkerUrl: z.string().min(1),
  redisUrl: z.string().min(1),
  redisPrefix: z.string().default(''),
  /** Keys the digests of API keys and the ids of refresh tokens. Changing it kills every key. */
  apiKeyPepper: secretBase64,
  /** Keys the password hashes. Changing it kills every password. */
  passwordPepper: secretBase64,
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
  /** Break-glass: exchanged for an admin token with every permission. Unset: the exchange does not exist. */
  adminStaticToken: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes')
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
