import { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import { type CheckFundsResponse, WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { ServiceError } from '@svc/errors'
import { type By, grpcClient, systemCaller } from '@svc/grpc'
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
  /** Whether a merchant has the amount at this moment; null where no wallet is wanted. It takes and holds nothing. */
  checkFunds(
    payer: Pick<Job, 'merchantId' | 'isTest'>,
    requiredMinor: number,
    within: By,
  ): Promise<Omit<CheckFundsResponse, 'currency'> | null>
  /** What the rider who delivers the order would earn. */
  payoutOf(order: PayingOrder): Promise<Payout>
  /** Whether the rider has ever earned or taken out anything. */
  hasLedger(riderId: string): Promise<boolean>
  /** The rider takes nothing out for a while. */
  freezeWithdrawals(riderId: string): Promise<void>
}

export type PayingOrder = Pick<Job, 'merchantId' | 'isTest' | 'deliveryCommissionMinor' | 'vehicleType' | 'source'>

/** The wallet service behind gRPC; where the operator says `none`, a wallet that bears everything. */
export function connectWallet({ walletGrpcAddress: address, walletCallerSecret: secret }: Config): Wallet & Part {
  if (address === undefined || secret === undefined) return noWallet()
  const link = { address, from: 'dispatch', to: 'wallet', secret }
  const wallets = grpcClient(WalletServiceService, link)
  const commissions = grpcClient(CommissionServiceService, link)
  const payouts = grpcClient(PayoutServiceService, link)
  const asked = { deadlineMs: DEADLINE_MS }
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
    async hasLedger(riderId) {
      return (await wallets.as(systemCaller('dispatch'), asked).checkRiderLedger({ rider_id: riderId })).has_entries
    },
    async freezeWithdrawals(riderId) {
      await payouts.as(systemCaller('dispatch'), asked).freezeRiderWithdrawals({ rider_id: riderId })
    },
    async stop() {
      for (const client of [wallets, commissions, payouts]) client.close()
    },
  }
}

/** In place of a wallet, where none is wanted: merchants bear everything, and what riders would earn stays unknown. */
function noWallet(): Wallet & Part {
  createLogger('wallet').warn('WALLET_GRPC_ADDRESS is none: no balance is asked for, and offers name no payout')
  return {
    name: 'wallet',
    checkFunds: async () => null,
    payoutOf: () => Promise.reject(new ServiceError('service_unavailable')),
    hasLedger: async () => false,
    freezeWithdrawals: async () => undefined,
    stop: async () => undefined,
  }
}
