import { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { type CheckFundsResponse, WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { type Call, grpcClient, systemCaller } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import type { Config } from '../config.ts'
import type { Job } from '../domain/job.ts'

/** Riders and merchants wait for its answer this long and no longer. */
const DEADLINE_MS = 1_500

export interface Payout {
  amountMinor: number
  currency: string
}

/** What this service asks of the wallets. While they cannot be asked, each question throws service_unavailable. */
export interface Wallet {
  /** Whether a merchant has the amount at this moment. It takes nothing and holds nothing. */
  checkFunds(
    payer: Pick<Job, 'merchantId' | 'isTest'>,
    requiredMinor: number,
    within: Call,
  ): Promise<CheckFundsResponse>
  /** What the rider who delivers the order would earn. */
  payoutOf(order: PayingOrder): Promise<Payout>
}

export type PayingOrder = Pick<Job, 'merchantId' | 'isTest' | 'deliveryCommissionMinor' | 'vehicleType' | 'source'>

/** The wallet service behind gRPC; null in a deployment without it, which the log says. */
export function connectWallet(config: Config): (Wallet & Part) | null {
  const { walletGrpcAddress: address, walletCallerSecret: secret } = config
  if (address === undefined || secret === undefined) {
    createLogger('wallet').warn('WALLET_GRPC_ADDRESS is not set: no balance is asked for, and offers name no payout')
    return null
  }
  const link = { address, from: 'dispatch', to: 'wallet', secret }
  const wallets = grpcClient(WalletServiceService, link)
  const commissions = grpcClient(CommissionServiceService, link)
  return {
    name: 'wallet',
    checkFunds({ merchantId, isTest }, requiredMinor, within) {
      const caller = systemCaller('dispatch', within.caller.requestId)
      const request = { required_minor: requiredMinor, merchant_id: merchantId, is_test: isTest }
      return wallets.as(caller, { deadlineMs: DEADLINE_MS, within }).checkFunds(request)
    },
    async payoutOf({ merchantId, isTest, deliveryCommissionMinor, vehicleType, source }) {
      const { amount_minor, currency } = await commissions
        .as(systemCaller('dispatch'), { deadlineMs: DEADLINE_MS })
        .planCommission({
          merchant_id: merchantId,
          is_test: isTest,
          payment_verified: false,
          delivery_commission_minor: deliveryCommissionMinor ?? undefined,
          vehicle_type: vehicleType ?? undefined,
          source,
        })
      return { amountMinor: amount_minor, currency }
    },
    async stop() {
      for (const client of [wallets, commissions]) client.close()
    },
  }
}
