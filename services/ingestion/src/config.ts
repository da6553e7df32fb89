import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
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
import { objectStoreKnobs } from '@svc/object-store'
import { namedKeys } from '@svc/sealing'
import { z } from 'zod'

/** Of util-linux: starts a program within limits that the kernel holds. */
export const PRLIMIT = '/usr/bin/prlimit'

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return isAbsolute(path) && statSync(path).isFile()
  } catch {
    return false
  }
}

const secretKey = z.string().min(16).max(256)

/** A program that is there when the process starts. */
const program = z.string().refine(isProgram, 'must be the full path of a program')

const settingsSchema = z.object({
  ...serviceKnobs,
  /** Role ingestion_app: one tenant at a time. */
  ingestionDatabaseUrl: z.string().min(1),
  /** Role ingestion_worker: hooks, which come before it is known which merchant they are about, and operators. */
  ingestionWorkerUrl: z.string().min(1),
  /** Connections per database role. */
  ingestionPoolSize: integer.min(1).default(10),
  /** How long a statement waits for a connection; after that its caller is told to come again. */
  ingestionConnectTimeout: durationMs.pipe(z.number().min(1_000)).default(5_000),
  /** Who knows which merchants there are. */
  adminGrpcAddress: peerAddress,
  /** Seals the secrets of merchants. */
  keyEncryptionKey: namedKeys,
  /** With which the payment provider signs; unset: the platform's hooks cannot be verified. */
  paymentsSecretKey: secretKey.optional(),
  /** Verifies too, while the provider changes from one key to the other. */
  paymentsPreviousSecretKey: secretKey.optional(),
  /** Where the payment provider writes its signature. */
  paymentsSignatureHeader: z.string().min(1).toLowerCase().default('x-payments-a-signature'),
  /** Where the payment provider of merchants' own accounts writes its signature. */
  paymentsBSignatureHeader: z.string().min(1).toLowerCase().default('payments-b-signature'),
  /** What the storefront puts before the names of its headers: hmac-sha256, shop-domain, topic and others. */
  storefrontAHeaderPrefix: z.string().min(1).toLowerCase().default('x-storefront-a-'),
  storefrontBHeaderPrefix: z.string().min(1).toLowerCase().default('x-storefront-b-'),
  /** With which the e-mail provider signs notices of mail that came (whsec_…); unset: they cannot be verified. */
  emailInboundSecret: secretKey.optional(),
  /** Verifies too, while one takes the place of the other. */
  emailInboundPreviousSecret: secretKey.optional(),
  /** To which merchants' mail comes; unset: to any. */
  emailInboundDomain: z.string().min(1).toLowerCase().optional(),
  /** The mail provider's API, by which mail that came is fetched; unset or `none`: its text and attachments are not. */
  mailApiUrl: statedUrl.optional(),
  mailApiKey: z.string().default(''),
  /** From which attachments are downloaded, the hosts below them included; unset: from any public one. */
  mailDownloadHosts: csv.default([]),
  /** Also admits downloads from this machine, without TLS. */
  mailAllowLocal: flag.default(false),
  /** Where attachments are kept; unset: they are not fetched. */
  ...objectStoreKnobs,
  /** Larger attachments are not taken, nor more of one mail than so many. */
  attachmentMaxBytes: integer.min(1_024).max(26_214_400).default(10_485_760),
  attachmentsPerMail: integer.min(0).max(10).default(10),
  /** Of a merchant so much is kept within 24 hours; what comes beyond is not fetched. */
  attachmentBytesPerDay: integer.min(1_024).default(524_288_000),
  /** How often it is tried to fetch and read one; about ten minutes by default. */
  attachmentMaxAttempts: integer.min(1).max(50).default(9),
  /** tesseract, which reads pictures, and pdftotext, which reads PDFs; unset: they are kept, and not read. */
  ocrCommand: program.optional(),
  pdfTextCommand: program.optional(),
  /** In which tesseract has been taught to read: `eng` or `eng+fra`. */
  ocrLanguages: z
    .string()
    .regex(/^[a-z_]{3,16}(\+[a-z_]{3,16}){0,7}$/, 'must be languages such as eng+fra')
    .default('eng'),
  /** Of one file: time, memory, and how large a picture is unpacked. */
  ocrTimeout: durationMs.pipe(z.number().min(1_000).max(120_000)).default(30_000),
  ocrMemoryBytes: integer.min(67_108_864).max(4_294_967_296).default(536_870_912),
  ocrMaxPixels: integer.min(10_000).max(200_000_000).default(25_000_000),
  /** Files that are read at the same time. */
  ocrLanes: integer.min(1).max(16).default(1),
  /** Where orders are. */
  orderGrpcAddress: peerAddress,
  /** How often it is tried to make a hook into an order while order or admin is away; about two hours by default. */
  normalizationMaxAttempts: integer.min(1).max(1000).default(20),
  /** With which the messaging provider signs; unset: messages to the platform's number cannot be verified. */
  messagingSecretKey: secretKey.optional(),
  /** Verifies too, while the provider changes from one key to the other. */
  messagingPreviousSecretKey: secretKey.optional(),
  /** Where the messaging provider writes its signature. */
  messagingSignatureHeader: z.string().min(1).toLowerCase().default('x-messaging-a-signature'),
  /** Provider of messages, by which customers are answered; unset: nobody is. */
  messagingApiUrl: z.url().optional(),
  messagingApiKey: z.string().default(''),
  /** Sender id shown to the receiver. */
  messagingSender: z.string().default('Dispatch'),
  /** What somebody is told who names no shop; unset: nothing. */
  messagingWelcome: z.string().min(1).max(600).optional(),
  /** For how long nobody is told so again, and how many are within an hour. */
  messagingWelcomeHours: integer.min(1).default(24),
  messagingWelcomesPerHour: integer.min(1).default(100),
  /** Messages within an hour that are answered of those that a merchant has signed by itself. */
  messagingRepliesPerHour: integer.min(1).default(200),
  /** Country calling codes, or longer beginnings of numbers, to which messages are sent. */
  smsCountries: csv.pipe(z.array(z.string().regex(/^[1-9]\d{0,14}$/)).min(1)).default(['234']),
  /** How long hooks that are done with, and with them the knowledge that they came, are kept. */
  hookRetentionDays: integer.min(1).default(30),
  /** How long a dead letter of mail waits for somebody after it was tried last. */
  deadMailRetentionDays: integer.min(1).default(90),
  /** The same of every other channel. */
  deadLetterRetentionDays: integer.min(1).default(365),
  /** The messaging app's cloud, by which merchants connect phone numbers: all of these or none but the version. */
  cloudApiUrl: z.url().optional(),
  cloudApiVersion: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must be a version such as v21.0')
    .default('v21.0'),
  cloudAppId: z
    .string()
    .regex(/^\d{1,32}$/, 'must be digits')
    .optional(),
  cloudAppSecret: z.string().min(16).max(256).optional(),
  /** Of the signup in the browser. */
  cloudConfigId: z
    .string()
    .regex(/^\d{1,32}$/, 'must be digits')
    .optional(),
})

const schema = settingsSchema.superRefine((settings, context) => {
  if (settings.mailAllowLocal && settings.nodeEnv === 'production')
    context.addIssue({ code: 'custom', path: ['mailAllowLocal'], message: 'is refused in production' })
  if (settings.attachmentBytesPerDay < settings.attachmentMaxBytes)
    context.addIssue({
      code: 'custom',
      path: ['attachmentBytesPerDay'],
      message: 'must be at least ATTACHMENT_MAX_BYTES: nothing would be fetched',
    })
  if ((settings.ocrCommand ?? settings.pdfTextCommand) !== undefined && !isProgram(PRLIMIT))
    context.addIssue({ code: 'custom', path: ['ocrCommand'], message: `needs ${PRLIMIT} (Debian: util-linux)` })
  const names = ['cloudApiUrl', 'cloudAppId', 'cloudAppSecret', 'cloudConfigId'] as const
  const missing = names.filter((name) => settings[name] === undefined)
  // A secret alone, as a store hands it to every installation, configures nothing.
  if (names.every((name) => name === 'cloudAppSecret' || missing.includes(name))) return
  for (const name of missing)
    context.addIssue({ code: 'custom', path: [name], message: "is missing: the messaging app's cloud needs all of it" })
})

export interface Config extends z.output<typeof schema> {
  instance: string
  callerSecrets: CallerSecrets
  /** With which this service signs its own calls. */
  adminCallerSecret?: string | undefined
  orderCallerSecret?: string | undefined
}

/** The configuration of this process; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { settings, ...secrets } = readTogether({
    settings: () => parseConfig(schema, env),
    callerSecrets: () => callerSecretsFromEnv('ingestion', env),
    adminCallerSecret: () => peerSecretFromEnv('ingestion', 'admin', env),
    orderCallerSecret: () => peerSecretFromEnv('ingestion', 'order', env),
  })
  return { ...settings, ...secrets, instance: instanceOf(settings) }
}
