import { csv, drainDelayMs, durationMs, flag, integer, parseConfig, port, readTogether } from '@svc/config'
import { callerSecretFromEnv } from '@svc/grpc'
import * as z from 'zod'

const perWindow = (standard: number) => integer.min(1).default(standard)

/** Every knob of the gateway. */
export const configSchema = z.object({
  host: z.string().default('127.0.0.1'),
  /** The public API. */
  port: port.default(8080),
  /** Metrics and health, not for the public. */
  opsPort: port.default(0),
  drainDelayMs,
  /** As clients see this server; in the API description. */
  publicBaseUrl: z.url().optional(),
  /** Proxies, as addresses or CIDR blocks: their X-Forwarded-For is believed. */
  trustedProxies: csv.default([]),
  /** Processes that share the limits while Redis is away; must be stated: each would count by itself up to the whole. */
  gatewayReplicas: integer.min(1),

  /**
   * Of the answers that are no errors one in so many is told in the log; errors all are, up to 100 a second, and as many lines
   * of what lies behind them.
   */
  accessLogSample: integer.min(1).default(1),

  redisUrl: z.string(),
  redisPrefix: z.string().default(''),
  /** Beyond this a request is counted locally. */
  redisCommandTimeoutMs: durationMs.default(250),

  orderGrpcAddress: z.string(),
  dispatchGrpcAddress: z.string(),
  walletGrpcAddress: z.string(),
  ingestionGrpcAddress: z.string(),
  webhookGrpcAddress: z.string(),
  adminGrpcAddress: z.string(),

  /** For how long a verdict on a credential may be reused; at most 5 s. */
  verdictTtlMs: durationMs.pipe(z.number().max(5_000)).default(5_000),
  /** Sockets at /realtime. */
  realtimeEnabled: flag.default(true),
  /** How often sockets get snapshots and are asked again whether they may listen. */
  realtimeRoundMs: durationMs.default(30_000),
  /** Sockets that one gateway serves: of one token, of one address, and at all. */
  realtimeMaxPerToken: integer.min(1).default(20),
  realtimeMaxPerAddress: integer.min(1).default(100),
  realtimeMaxSockets: integer.min(1).default(10_000),
  /** Pages of these origins may open sockets by polling; WebSocket itself knows no such limit. */
  realtimeAllowedOrigins: csv.default([]),

  /** Demands keys:manage for creating and cancelling orders. */
  keysManageForOrders: flag.default(false),
  /** Demands keys:manage for PATCH of an order. */
  keysManageForOrderPatch: flag.default(false),
  /** Demands keys:manage of merchants who act on a rider: position, online, phone. */
  keysManageForRiders: flag.default(false),
  /** Demands keys:manage for changing the password of the account. */
  keysManageForPasswordChange: flag.default(false),

  /** A provisioning service presents one of them at /scim/v2; unset: there is no such path. */
  scimToken: csv
    .pipe(
      z.array(z.string().regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, none of them a space')).min(1),
    )
    .optional(),

  rateTestKeyPerMinute: perWindow(60),
  rateLiveKeyPerMinute: perWindow(300),
  /** All keys of a merchant together, and the tokens exchanged from them. */
  rateTestMerchantPerMinute: perWindow(3_000),
  rateLiveMerchantPerMinute: perWindow(30_000),
  /** Advances of the clock of a sandbox, over all credentials of its merchant. */
  rateClockAdvancePerMinute: perWindow(20),
  rateUserPerMinute: perWindow(300),
  rateRiderPerMinute: perWindow(120),
  rateAdminPerMinute: perWindow(600),
  rateLoginPerMinute: perWindow(10),
  rateLoginPerHour: perWindow(100),
  rateSignOnStatusPerMinute: perWindow(60),
  /** Log-ins of merchants at an identity provider, begun and completed. */
  rateSignOnPerMinute: perWindow(20),
  rateSignupPerHour: perWindow(5),
  /** Mails by which a password is chosen anew, and those that confirm an address: per client, and per e-mail address. */
  ratePasswordResetPerHour: perWindow(5),
  ratePasswordResetEmailPerHour: perWindow(3),
  /** Attempts of one user, those that succeed included. */
  ratePasswordChangePerHour: perWindow(5),
  rateEmailVerificationPerHour: perWindow(5),
  rateEmailVerificationEmailPerHour: perWindow(3),
  /** Tokens of mails that are tried. */
  rateAccountTokenPerMinute: perWindow(10),
  rateContactPerHour: perWindow(5),
  rateCaptureConfigPerMinute: perWindow(60),
  rateRefreshPerMinute: perWindow(300),
  rateTrackingPerMinute: perWindow(60),
  rateTrackingTokenPerMinute: perWindow(30),
  rateAdminTokenPerMinute: perWindow(10),
  rateRiderRegisterPerHour: perWindow(5),
  rateRiderOtpPerHour: perWindow(10),
  rateInviteRedeemPerMinute: perWindow(10),
  rateFarePreviewPerMinute: perWindow(30),
  /** Calls at /scim/v2 per address, whatever their token. */
  rateScimPerMinute: perWindow(300),
  /** API keys that are well-formed and not good, per address; beyond it no further one of its keys is looked up. */
  rateUnknownKeysPerMinute: perWindow(120),
  /** Access tokens that are refused at /realtime, per address; beyond it no further one of its is judged. */
  rateSocketsRefusedPerMinute: perWindow(120),
  /** Hooks of third parties that a merchant's own secret signed. */
  rateHooksPerMinute: perWindow(600),
  /** Those that the platform's secret signed, by whichever URL they came. */
  rateHooksPlatformPerMinute: perWindow(6_000),
  /** Hooks whose signature is refused, per address; beyond it that address is judged one at a time. */
  rateHooksRefusedPerMinute: perWindow(60),

  /** Answers internal_error in place of an error that the route does not declare; for tests. */
  checkErrors: flag.default(false),
})

export type Config = z.output<typeof configSchema>

/** The configuration of this process, with what signs its calls; throws one error that names everything wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readTogether({
    config: () => parseConfig(configSchema, env),
    orderSecret: () => callerSecretFromEnv('gateway', 'order', env),
    dispatchSecret: () => callerSecretFromEnv('gateway', 'dispatch', env),
    walletSecret: () => callerSecretFromEnv('gateway', 'wallet', env),
    ingestionSecret: () => callerSecretFromEnv('gateway', 'ingestion', env),
    webhookSecret: () => callerSecretFromEnv('gateway', 'webhook', env),
    adminSecret: () => callerSecretFromEnv('gateway', 'admin', env),
  })
}
