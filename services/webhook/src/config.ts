import {
  csv,
  durationMs,
  flag,
  instanceOf,
  integer,
  parseConfig,
  peerAddress,
  readTogether,
  serviceKnobs,
  statedUrl,
} from '@svc/config'
import { type CallerSecrets, callerSecretsFromEnv, peerSecretFromEnv } from '@svc/grpc'
import { networksOf } from '@svc/inputs'
import { namedKeys } from '@svc/sealing'
import { z } from 'zod'

const networks = csv.transform((list, context) => {
  try {
    return networksOf(list)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

const schema = z
  .object({
    ...serviceKnobs,
    /** Role webhook_app: one tenant at a time. */
    webhookDatabaseUrl: z.string().min(1),
    /** Role webhook_worker: consumers, deliveries, operators. */
    webhookWorkerUrl: z.string().min(1),
    /** Connections per database role. */
    webhookPoolSize: integer.min(1).default(10),
    /** Who knows which merchants there are. */
    adminGrpcAddress: peerAddress,
    keyEncryptionKey: namedKeys,
    /** Off: events go into the pull log only. */
    outboundWebhooksEnabled: flag.default(true),
    /** For merchants that have not chosen one. */
    outboundWebhookSignatureVersion: z.enum(['v1', 'v2']).default('v1'),
    outboundWebhookMaxAttempts: integer.min(5).max(20).default(5),
    /** Also admits plain http on 127.0.0.1 and localhost. */
    webhookAllowLocal: flag.default(false),
    /** Networks that no webhook may reach, beside those that are not public: `168.63.129.16/32,34.118.224.0/20`. */
    webhookRefusedNetworks: networks.default(networksOf([])),
    /** Attempts in flight of this process, over all merchants. */
    deliveryConcurrency: integer.min(1).max(5_000).default(1_000),
    /** The truth behind the wake-ups. */
    deliveryPollInterval: durationMs.default(1_000),
    /** After which an attempt of a process that died is made again. */
    deliveryLease: durationMs.default(30_000),
    /** How long the pull log and settled deliveries are kept. */
    eventLogRetention: durationMs.default(30 * 86_400_000),
    /** After so long without a success an endpoint that fails is disabled; 0: never. */
    webhookDisableAfterDays: integer.min(0).default(14),
    /** Base URL of the mail provider; `none`: alerts to owners wait. */
    mailApiUrl: statedUrl,
    mailApiKey: z.string().default(''),
    mailFrom: z.string().default('Delivery Dispatch <no-reply@delivery-dispatch.example>'),
  })
  .refine((config) => !(config.webhookAllowLocal && config.nodeEnv === 'production'), {
    path: ['webhookAllowLocal'],
    message: 'is refused in production',
  })
  .refine((config) => config.deliveryLease >= 15_000, {
    path: ['deliveryLease'],
    message: 'must outlast an attempt of 12 s',
  })

export type Settings = z.output<typeof schema>

export interface Config extends Settings {
  instance: string
  callerSecrets: CallerSecrets
  /** With which this service signs its own calls. */
  adminCallerSecret?: string | undefined
}

/** Every knob of this service; throws naming all problems at once. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { settings, ...secrets } = readTogether({
    settings: () => parseConfig(schema, env),
    callerSecrets: () => callerSecretsFromEnv('webhook', env),
    adminCallerSecret: () => peerSecretFromEnv('webhook', 'admin', env),
  })
  return { ...settings, ...secrets, instance: instanceOf(settings) }
}
