import {
  csv,
  flag,
  instanceOf,
  integer,
  parseConfig,
  peerAddress,
  readTogether,
  secretsBase64,
  serviceKnobs,
  statedCsv,
  statedUrl,
} from '@svc/config'
import { type CallerSecrets, callerSecretFromEnv, callerSecretsFromEnv, peerSecretFromEnv } from '@svc/grpc'
import { objectStoreKnobs } from '@svc/object-store'
import { z } from 'zod'

const schema = z.object({
  ...serviceKnobs,
  /** Role dispatch_app: one tenant at a time. */
  dispatchDatabaseUrl: z.string().min(1),
  /** Role dispatch_worker: riders, positions, offers, operators. */
  dispatchWorkerUrl: z.string().min(1),
  /** Connections per database role. */
  dispatchPoolSize: integer.min(1).default(10),
  redisUrl: z.string().min(1),
  redisPrefix: z.string().default(''),
  orderGrpcAddress: z.string().min(1),
  adminGrpcAddress: z.string().min(1),
  /** The wallet service: it knows what merchants can bear and riders would earn. */
  walletGrpcAddress: peerAddress,

  // Of photos.
  ...objectStoreKnobs,

  /** Only merchants whose business is verified and approved are shown freelancers. */
  requireKybForOrders: flag.default(true),
  /** Riders must be approved before they go online or are assigned. */
  riderKycRequired: flag.default(true),
  /** The first keys the digests of one-time codes; what another has made counts while it is named. */
  otpPepper: secretsBase64,
  /** How long no other code is sent to the same phone; 0: no time at all. */
  otpCooldownSeconds: integer.min(0).default(60),
  /** Log-in codes of one phone within an hour: so many for each network its rider is known at, and so many for all others. */
  rateRiderOtpPhonePerHour: integer.min(1).default(5),
  /** Messages that one merchant's fleet and orders are sent within a day. */
  otpMerchantPerDay: integer.min(1).default(10_000),
  /** Country calling codes, or longer beginnings of numbers, to which messages are sent. */
  smsCountries: csv.pipe(z.array(z.string().regex(/^[1-9]\d{0,14}$/)).min(1)).default(['234']),
  /** Provider of text messages; `none`: none are sent, of alerts neither. */
  messagingApiUrl: statedUrl,
  messagingApiKey: z.string().default(''),
  /** Sender id shown to the receiver. */
  messagingSender: z.string().default('Dispatch'),
  /** Phones that are told of riders' alerts, `none` where there are none; and how long a rider raises no other; 0: no time at all. */
  sosPhones: statedCsv.pipe(z.array(z.string().regex(/^\+\d{7,15}$/, 'must be phone numbers such as +2348031234567'))),
  sosCooldownSeconds: integer.min(0).default(120),
  /** Orders that one rider may have under way. */
  riderMaxActiveOrders: integer.min(1).default(5),
  /** Cash that one rider may have in hand and yet to collect: what would bring it above is not offered; unset: any. */
  riderCodCapMinor: integer.min(0).optional(),
  /** What a merchant must have for a freelancer to carry a live order that has no price. */
  staticWalletFloorMinor: integer.min(0).default(50_000),

  /** A rider whom a merchant assigns need not say yes. */
  assignmentAutoAccept: flag.default(false),
  /** Riders who are offline are assigned nothing. */
  assignRequireOnline: flag.default(false),
  /** How long before its pickup time riders are looked for. */
  dispatchLeadMinutes: integer.min(0).default(60),
  /** Radius of each round of a search. */
  dispatchRadiiMetres: csv
    .transform((entries) => entries.map(Number))
    .pipe(z.array(z.number().int().min(1).max(100_000)).min(1))
    .default([3_000, 5_000, 8_000]),
  /** What each order under way adds to the distance of a rider when riders are ranked. */
  dispatchLoadPenaltyMetres: integer.min(0).default(500),
  /** Riders whose last position is older get no offers. */
  offerLocationMaxAgeSeconds: integer.min(1).default(120),
  offerTtlSeconds: integer.min(10).max(300).default(30),
  /** When a search that no rider ended with a yes is announced as delayed, and as exhausted; then how often it is tried. */
  dispatchDelayedMinutes: integer.min(1).default(5),
  dispatchMaxMinutes: integer.min(1).default(20),
  dispatchRetryMinutes: integer.min(1).default(5),
  /** Farther than this from the pickup a collected order is in transit; 0: positions never decide it. */
  inTransitDepartureMetres: integer.min(0).default(200),
  /** Nearer than this a rider has arrived. */
  arrivalMetres: integer.min(1).default(100),

  /** A merchant whose billing status stops writes reports no positions. Must be stated, alike in order, dispatch and wallet. */
  billingEnforcement: flag,
  /** Positions that are older are not shown as present ones. */
  liveLocationMaxAgeSeconds: integer.min(1).default(300),
  /** How long past positions are kept. */
  locationLogDays: integer.min(1).default(30),
  /** How long after its creation an order is known here, with its offers and its trace; and a test order. */
  dispatchRetentionDays: integer.min(7).default(90),
  sandboxRetentionDays: integer.min(1).default(30),
  /** How long photos of hand-overs are kept, in the object store and here. */
  photoRetentionDays: integer.min(1).default(365),

  /** Without it nothing is priced; coverage is judged all the same. */
  pricingEngineEnabled: flag.default(true),
  /** By how much ways by road are longer than the shortest line. */
  roadFactor: z.coerce.number().min(1).max(5).default(1.3),
  /** Base URL of an OSRM server; without it, and while it is away, ways by road are estimated. */
  routerUrl: z.url().optional(),
})

export interface Config extends z.output<typeof schema> {
  instance: string
  callerSecrets: CallerSecrets
  /** With which this service signs its own calls. */
  orderCallerSecret: string
  adminCallerSecret: string
  walletCallerSecret?: string | undefined
}

/** The configuration of this process; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { settings, ...secrets } = readTogether({
    settings: () => parseConfig(schema, env),
    callerSecrets: () => callerSecretsFromEnv('dispatch', env),
    orderCallerSecret: () => callerSecretFromEnv('dispatch', 'order', env),
    adminCallerSecret: () => callerSecretFromEnv('dispatch', 'admin', env),
    walletCallerSecret: () => peerSecretFromEnv('dispatch', 'wallet', env),
  })
  return { ...settings, ...secrets, instance: instanceOf(settings) }
}
