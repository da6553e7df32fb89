import { flag, instanceOf, integer, parseConfig, peerAddress, readTogether, serviceKnobs } from '@svc/config'
import { type CallerSecrets, callerSecretsFromEnv, peerSecretFromEnv } from '@svc/grpc'
import { z } from 'zod'

const schema = z.object({
  ...serviceKnobs,
  orderDatabaseUrl: z.string().min(1),
  orderWorkerUrl: z.string().min(1),
  /** Connections per database role. */
  orderPoolSize: integer.min(1).default(10),
  /** Where coverage, prices and riders are judged. */
  dispatchGrpcAddress: peerAddress,
  /** Where commissions and balances are. */
  walletGrpcAddress: peerAddress,
  /** What a merchant must have available for a live order whose fee is not known. */
  staticWalletFloorMinor: integer.min(0).max(Number.MAX_SAFE_INTEGER).default(50_000),

  /** Public address before a tracking token; without it orders have no customer_tracking_url. */
  trackingBaseUrl: z.url().optional(),
  /** How long a tracking link outlives the end of its order. */
  trackingTerminalTtlHours: integer.min(1).default(72),
  /** Whether merchants may cancel after pickup. */
  cancelPolicy: z.enum(['default', 'before_pickup']).default('default'),
  /** How a status that a merchant sets out of order is met. */
  orderStatusGuard: z.enum(['off', 'warn', 'strict']).default('off'),
  /** Riders deliver only with a verified proof of delivery. */
  podRequiredForDelivery: flag.default(false),
  /** The status that a verified proof of delivery enters; `none` leaves it to the rider. */
  podVerifiedStatus: z.string().max(128).default('delivered'),
  /** Live orders, by a key or a login, need a verified and approved business. */
  requireKybForOrders: flag.default(true),
  /** No order may name a larger delivery_commission_minor; unset: none is too large. */
  commissionMaxMinor: integer.min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** Writes of merchants with a blocked billing status are refused. Must be stated, alike in order, dispatch and wallet. */
  billingEnforcement: flag,

  simulatorEnabled: flag.default(true),
  /** Automatic orders that one merchant may have under way. */
  simulatorOpenOrders: integer.min(1).default(100),
  /** Test orders older than this are deleted. */
  sandboxRetentionDays: integer.min(1).default(30),
  /** What test orders of one merchant may add on one day, in bytes of their records. */
  sandboxBytesPerDay: integer.min(2_097_152).default(52_428_800),
})

export interface Config extends z.output<typeof schema> {
  instance: string
  callerSecrets: CallerSecrets
  /** With which this service signs its own calls. */
  dispatchCallerSecret?: string | undefined
  walletCallerSecret?: string | undefined
}

/** The configuration of this process; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { settings, ...secrets } = readTogether({
    settings: () => parseConfig(schema, env),
    callerSecrets: () => callerSecretsFromEnv('order', env),
    dispatchCallerSecret: () => peerSecretFromEnv('order', 'dispatch', env),
    walletCallerSecret: () => peerSecretFromEnv('order', 'wallet', env),
  })
  return { ...settings, ...secrets, instance: instanceOf(settings) }
}
