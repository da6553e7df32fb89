import type { Wallet } from '@svc/contracts/wallet/v1/wallet'
import { ServiceError } from '@svc/errors'
import { uuid } from '@svc/inputs'
import { createLogger } from '@svc/logging'
import { instant, orNull, whole } from '@svc/public-bodies'
import * as z from 'zod'
import { phone } from '../../bodies/phone.ts'
import {
  code,
  riderMerchant,
  riderOf,
  riderRecord,
  riderTokens,
  riderTokensOf,
  sentOtp,
  sentOtpOf,
} from '../../bodies/rider.ts'
import { environment, isSandbox } from '../../http/environment.ts'
import { RIDER_LOGIN, RIDER_OTP } from '../../http/limits.ts'
import { apiKey, inPerson, publicly, reply, rider, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'

const tag = 'Riders: log-in'
const WALLET_TIMEOUT_MS = 1_000

const logger = createLogger('rider-account')

/** What the caller has; without the wallet service the account goes without it. */
async function walletOf(services: Services): Promise<Wallet | undefined> {
  return services
    .within(WALLET_TIMEOUT_MS)
    .wallet.getRiderWallet({ limit: 1, offset: 0 })
    .then(({ wallet }) => wallet)
    .catch((err: unknown) => {
      // A token minted by a key that may not see money is no failure.
      if (!(err instanceof ServiceError && err.code === 'forbidden'))
        logger.warn({ err }, "a rider's account goes without the wallet")
      return undefined
    })
}

export const routes = [
  route({
    method: 'POST',
    path: '/v1/auth/rider/phone-otp/request',
    operationId: 'requestRiderLogin',
    tag,
    summary: 'Send a log-in code to a phone',
    description: 'An unknown phone gets the same answer and no message.',
    auth: { ...publicly(), bodyLimits: RIDER_OTP },
    headers: environment,
    body: z.object({ phone }),
    replies: { 200: sentOtp },
    errors: ['otp_cooldown', 'outbound_sms_not_configured'],
    async handle({ headers, body }, services) {
      const { otp } = await services.rider.requestRiderLogin({ phone: body.phone, is_test: isSandbox(headers) })
      return reply(200, sentOtpOf(otp))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/auth/rider/phone-otp/verify',
    operationId: 'verifyRiderLogin',
    tag,
    summary: 'Exchange a log-in code for tokens',
    description:
      'Also proves the phone. In the sandbox a test key in X-API-Key binds the tokens to its merchant; unbound ones see no orders.',
    auth: { ...publicly(), bodyLimits: RIDER_LOGIN, bindsTestKey: true },
    headers: environment,
    body: z.object({ phone, code }),
    replies: { 200: riderTokens },
    errors: ['invalid_otp', 'otp_expired', 'otp_locked'],
    async handle({ headers, body, caller }, services) {
      const is_test = isSandbox(headers)
      const sandbox_merchant_id = is_test ? caller.merchantId : undefined
      const request = { phone: body.phone, code: body.code, is_test, sandbox_merchant_id }
      const { tokens } = await services.rider.verifyRiderLogin(request)
      return reply(200, riderTokensOf(tokens))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/auth/rider/token',
    operationId: 'mintRiderToken',
    tag,
    summary: "Mint a token for one of the merchant's riders",
    description:
      'Good for one shift, without a refresh token, and no longer than the key. Money is in reach only if the key holds ' +
      'orders:write, and payout instruments only while the rider has never logged in by a code. Test keys mint for the ' +
      'sandbox rider alone.',
    auth: inPerson(apiKey('orders:write', 'riders:location')),
    body: z.object({ rider_id: uuid }),
    replies: { 200: riderTokens },
    errors: ['rider_not_found', 'billing_blocked'],
    async handle({ body }, services) {
      const { tokens } = await services.rider.mintRiderToken({ rider_id: body.rider_id })
      return reply(200, riderTokensOf(tokens))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/auth/rider/me',
    operationId: 'getRiderAccount',
    tag,
    summary: "Read the rider's own account",
    description: 'With the merchant whose fleet the rider is in, and the wallet.',
    auth: rider(),
    replies: {
      200: z.object({
        rider: riderRecord,
        merchant: orNull(riderMerchant),
        riderWallet: z.object({ balanceMinor: whole, updatedAt: instant }).optional(),
      }),
    },
    errors: [],
    async handle(_input, services) {
      const [mine, wallet] = await Promise.all([services.rider.getRiderAccount({}), walletOf(services)])
      return reply(200, {
        rider: riderOf(mine.rider),
        merchant: mine.merchant,
        riderWallet: wallet && { balanceMinor: wallet.balance_minor, updatedAt: wallet.updated_at },
      })
    },
  }),
]
