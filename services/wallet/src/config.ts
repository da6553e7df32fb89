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
import { modeOf } from '@svc/payments'
import { z } from 'zod'
import type { CommissionDefaults } from './domain/commission.ts'

const minor = integer.min(0).max(Number.MAX_SAFE_INTEGER)

const settingsSchema = z.object({
  /** `production` among them refuses callback URLs on this machine, and a payment key that does not tell its mode. */
  ...serviceKnobs,
  /** Role wallet_app: one tenant at a time. */
  walletDatabaseUrl: z.string().min(1),
  /** Role wallet_worker: postings, riders, operators. */
  walletWorkerUrl: z.string().min(1),
  /** Connections per database role. */
  walletPoolSize: integer.min(1).default(10),
  /** Who knows the e-mail address of a merchant's owner, and which operators are one person. */
  adminGrpcAddress: peerAddress,
  /** Who knows whether a rider is approved. */
  dispatchGrpcAddress: peerAddress,

  /** Base URL of the payment provider; unset: no money comes in or goes out. */
  paymentsApiUrl: z.url().optional(),
  /** Authorises our calls and signs its hooks; says by its first letters whether it is live. */
  paymentsSecretKey: z.string().min(16).optional(),
  /** Verifies hooks too, while the provider changes from one key to the other. */
  paymentsPreviousSecretKey: z.string().min(16).optional(),
  /** How often open payments and transfers are verified at the provider, and from which age on. */
  paymentSweepIntervalMs: durationMs.default(300_000),
  paymentSweepAfterMs: durationMs.default(300_000),

  /** Bounds of one top-up. */
  topupMinMinor: minor.default(600_000),
  topupMaxMinor: minor.default(1_000_000_000),

  withdrawalsEnabled: flag.default(false),
  /** Only merchants whose business is verified may withdraw. */
  withdrawalsRequireKyb: flag.default(true),
  /** Only riders whom an operator has approved may withdraw. */
  riderWithdrawalsRequireKyc: flag.default(true),
  withdrawalMinMinor: minor.default(100_000),
  /** Larger withdrawals need two operators. */
  fourEyesAboveMinor: minor.default(5_000_000),
  /** For how long an owner withdraws nothing after a change of payout instruments, but for a merchant's first. */
  payoutFreezeHours: integer.min(0).default(24),

  /** Base URL of the mail provider; `none`: mails to owners about their payout instruments wait. */
  mailApiUrl: statedUrl,
  mailApiKey: z.string().default(''),
  mailFrom: z.string().default('Delivery Dispatch <no-reply@delivery-dispatch.example>'),

  /** Merchants with a blocked billing status are refused writes. Must be stated, alike in order, dispatch and wallet. */
  billingEnforcement: flag,

  /** What holds for merchants that have no settings of their own. */
  commissionAutomation: flag.default(true),
  commissionTriggerStatuses: csv.default(['delivered']),
  /** Off: the operator pays commissions. */
  commissionMerchantDebit: flag.default(true),
  /** On: commissions stay in escrow until the payment of the order is verified. */
  commissionRequirePaymentVerified: flag.default(false),
  defaultCommissionMinor: minor.default(5_000),

  /** What a new sandbox wallet has. */
  sandboxWalletMinor: minor.default(100_000_000),
})

const schema = settingsSchema
  .refine(
    ({ nodeEnv, paymentsSecretKey }) => {
      const mustTell = nodeEnv === 'production' && paymentsSecretKey !== undefined
      return !(mustTell && modeOf(paymentsSecretKey) === null)
    },
    {
      path: ['paymentsSecretKey'],
      message: 'must begin with sk_live_ or sk_test_: events of another mode are refused',
    },
  )
  .refine(
    ({ paymentsSecretKey: current, paymentsPreviousSecretKey: previous }) =>
      current === undefined || previous === undefined || modeOf(current) === modeOf(previous),
    {
      path: ['paymentsPreviousSecretKey'],
      message: 'must be of the mode of PAYMENTS_SECRET_KEY: what it signed counts alike',
    },
  )

export interface Config extends z.output<typeof schema> {
  instance: string
  callerSecrets: CallerSecrets
  /** With which this service signs its own calls. */
  adminCallerSecret?: string | undefined
  dispatchCallerSecret?: string | undefined
}

/** The configuration of this process; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { settings, ...secrets } = readTogether({
    settings: () => parseConfig(schema, env),
    callerSecrets: () => callerSecretsFromEnv('wallet', env),
    adminCallerSecret: () => peerSecretFromEnv('wallet', 'admin', env),
    dispatchCallerSecret: () => peerSecretFromEnv('wallet', 'dispatch', env),
  })
  return { ...settings, ...secrets, instance: instanceOf(settings) }
}

/** What holds for merchants that have no commission settings of their own. */
export const commissionDefaults = (config: Config): CommissionDefaults => ({
  automation: config.commissionAutomation,
  triggerStatuses: config.commissionTriggerStatuses,
  merchantDebit: config.commissionMerchantDebit,
  requirePaymentVerified: config.commissionRequirePaymentVerified,
  defaultMinor: config.defaultCommissionMinor,
})

/** With which the payment provider may have signed, the current one first. */
export const providerKeys = ({ paymentsSecretKey, paymentsPreviousSecretKey }: Config): string[] =>
  [paymentsSecretKey, paymentsPreviousSecretKey].filter((key) => key !== undefined)
