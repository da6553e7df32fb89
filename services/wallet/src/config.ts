import { csv, flag, instanceOf, integer, parseConfig, serviceKnobs } from '@svc/config'
import { type CallerSecrets, callerSecretsFromEnv } from '@svc/grpc'
import { z } from 'zod'

const minor = integer.min(0).max(Number.MAX_SAFE_INTEGER)

const schema = z.object({
  ...serviceKnobs,
  /** Role wallet_app: one tenant at a time. */
  walletDatabaseUrl: z.string().min(1),
  /** Role wallet_worker: postings, riders, operators. */
  walletWorkerUrl: z.string().min(1),
  /** Connections per database role. */
  walletPoolSize: integer.min(1).default(10),

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

export interface Config extends z.output<typeof schema> {
  instance: string
  callerSecrets: CallerSecrets
}

/** The configuration of this process; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const settings = parseConfig(schema, env)
  return { ...settings, instance: instanceOf(settings), callerSecrets: callerSecretsFromEnv('wallet', env) }
}
