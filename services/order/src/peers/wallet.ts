import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import {
  type CommissionOutcome,
  CommissionServiceService,
  type ReserveCommissionRequest,
} from '@svc/contracts/wallet/v1/commission_service'
import { ShipmentHoldServiceService } from '@svc/contracts/wallet/v1/shipment_hold_service'
import { WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { batched } from '@svc/database'
import { ERRORS, ServiceError } from '@svc/errors'
import { grpcClient, systemCaller } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import type { Config } from '../config.ts'
import {
  type CarriedOrder,
  type CommissionedOrder,
  type CommissionPlan,
  type Settlement,
  settleKey,
} from '../domain/commission.ts'
import type { Shipment } from '../domain/shipment.ts'
import type { WriteTenant } from '../domain/tenant.ts'

const DEADLINE_MS = 1_500
/** A hold has a part for each order. */
const HOLD_DEADLINE_MS = 15_000

/** As many as the wallet answers in a call. */
const MAX_TOGETHER = 500

/** What this service asks of the wallet. A call without an answer may have happened: it is made again under its key. */
export interface Wallet {
  /** What a merchant can spend, in one call with those that are asked for at the same time. */
  availableMinor(tenant: WriteTenant): Promise<number>
  plan(order: CommissionedOrder): Promise<CommissionPlan>
  /** Puts the commission aside while a rider carries the order at this version; without a rider it goes back. */
  reserve(order: CarriedOrder): Promise<void>
  settle(settlement: Settlement, attempt: number): Promise<CommissionOutcome>
  /** Settles that the attempt never takes effect, unless it has. */
  abort(orderId: string, attempt: number): Promise<void>
  /** Pays the rider what the attempt put into escrow. */
  release(merchantId: string, orderId: string, attempt: number): Promise<CommissionOutcome>
  /** Gives back what the attempt put into escrow; what is reserved for the order then, is so in the same transaction. */
  giveBack(carried: CarriedOrder, attempt: number): Promise<CommissionOutcome>
  /** Holds the sum of a shipment, or says what is missing. */
  holdShipment(shipment: HeldShipment, attempt: number, parts: readonly HeldPart[]): Promise<ShipmentHold>
  /** Settles that the attempt holds nothing, now or later. */
  giveUpShipment(shipmentId: string, attempt: number): Promise<void>
  /** Gives back what is held for an order of a shipment. */
  releasePart(orderId: string): Promise<void>
  /** Gives back whatever is still held for a shipment. */
  closeShipment(shipmentId: string): Promise<void>
  /** Books what a rider took from a customer, once per order. */
  collectCash(cash: CashToBook): Promise<'applied' | 'already_applied' | 'declined'>
}

interface CashToBook {
  orderId: string
  merchantId: string
  riderId: string
  isTest: boolean
  amountMinor: number
  currency: string | null
}

type HeldShipment = Pick<Shipment, 'id' | 'merchantId' | 'isTest'>

interface HeldPart {
  orderId: string
  amountMinor: number
}

interface ShipmentHold {
  outcome: 'applied' | 'declined'
  held_minor: number
  required_minor?: number | undefined
  balance_minor?: number | undefined
}

const unreached = async () => {
  throw new ServiceError('service_unavailable')
}

/** In the place of the wallet where none is wanted: no order needs money, and none moves any. */
const noWallet: Wallet & Part = {
  name: 'wallet',
  availableMinor: async () => Number.POSITIVE_INFINITY,
  plan: async () => ({
    mode: 'none',
    amountMinor: 0,
    currency: '',
    payer: '',
    isTrigger: false,
    requirePaymentVerified: false,
  }),
  reserve: async () => {},
  settle: unreached,
  abort: unreached,
  release: unreached,
  giveBack: unreached,
  holdShipment: async () => ({ outcome: 'applied', held_minor: 0 }),
  giveUpShipment: async () => {},
  releasePart: async () => {},
  closeShipment: async () => {},
  collectCash: async () => 'applied',
  async stop() {},
}

/** The wallet behind gRPC. */
export function connectWallet(config: Pick<Config, 'walletGrpcAddress' | 'walletCallerSecret'>): Wallet & Part {
  const { walletGrpcAddress: address, walletCallerSecret: secret } = config
  if (address === undefined || secret === undefined) {
    createLogger('wallet').warn('WALLET_GRPC_ADDRESS is none: no balance is asked for, and no commission is paid')
    return noWallet
  }
  const link = { address, from: 'order', to: 'wallet', secret }
  const wallets = grpcClient(WalletServiceService, link)
  const commissions = grpcClient(CommissionServiceService, link)
  const holds = grpcClient(ShipmentHoldServiceService, link)
  const cash = grpcClient(CashServiceService, link)
  const ourselves = () => commissions.as(systemCaller('order'), { deadlineMs: DEADLINE_MS })

  /** Of each what it can spend; undefined where its wallet has to be opened first. */
  async function listFunds(asked: readonly WriteTenant[]): Promise<Array<number | undefined>> {
    const named = asked.map(({ merchantId: merchant_id, isTest: is_test }) => ({ merchant_id, is_test }))
    const call = wallets.as(systemCaller('order'), { deadlineMs: DEADLINE_MS })
    const { funds } = await call.listFunds({ wallets: named })
    return funds.map(({ balance_minor }) => balance_minor)
  }

  const availableMinor = batched<WriteTenant, number | undefined>({
    limit: MAX_TOGETHER,
    together: listFunds,
    alone: async (asked) => (await listFunds([asked]))[0],
    // A wallet that is away would be asked once for each.
    isUndone: (error) => error instanceof ServiceError && ERRORS[error.code].http < 500,
  })

  return {
    name: 'wallet',
    async availableMinor(tenant) {
      const available = await availableMinor(tenant)
      if (available === undefined) throw new ServiceError('service_unavailable')
      return available
    },
    async plan({ merchantId, status, paymentVerified, riderId, ownAmountMinor, vehicleType, source }) {
      const plan = await ourselves().planCommission({
        merchant_id: merchantId,
        is_test: false,
        status,
        payment_verified: paymentVerified,
        rider_id: riderId,
        delivery_commission_minor: ownAmountMinor,
        vehicle_type: vehicleType,
        source,
      })
      return {
        mode: plan.mode as CommissionPlan['mode'],
        amountMinor: plan.amount_minor,
        currency: plan.currency,
        payer: plan.payer,
        isTrigger: plan.is_trigger,
        requirePaymentVerified: plan.require_payment_verified,
      }
    },
    async reserve(order) {
      await ourselves().reserveCommission(reservationOf(order))
    },
    async settle({ orderId, merchantId, riderId, amountMinor, currency, mode, payer }, attempt) {
      const { outcome } = await ourselves().settleCommission({
        op_key: settleKey(orderId, attempt),
        order_id: orderId,
        merchant_id: merchantId,
        rider_id: riderId,
        amount_minor: amountMinor,
        currency,
        mode,
        payer,
      })
      return outcome!
    },
    async abort(orderId, attempt) {
      await ourselves().abortCommission({ op_key: settleKey(orderId, attempt) })
    },
    async release(merchantId, orderId, attempt) {
      const op_key = `release:${orderId}:${attempt}`
      const { outcome } = await ourselves().releaseCommission({ op_key, order_id: orderId, merchant_id: merchantId })
      return outcome!
    },
    async giveBack(carried, attempt) {
      const { orderId, merchantId } = carried
      const { outcome } = await ourselves().voidCommission({
        op_key: `void:${orderId}:${attempt}`,
        order_id: orderId,
        merchant_id: merchantId,
        settle_op_key: settleKey(orderId, attempt),
        reserve: reservationOf(carried),
      })
      return outcome!
    },
    async holdShipment({ id, merchantId, isTest }, attempt, parts) {
      const { outcome, ...amounts } = await holds
        .as(systemCaller('order'), { deadlineMs: HOLD_DEADLINE_MS })
        .placeShipmentHold({
          op_key: holdKey(id, attempt),
          shipment_id: id,
          merchant_id: merchantId,
          is_test: isTest,
          parts: parts.map(({ orderId, amountMinor }) => ({ order_id: orderId, amount_minor: amountMinor })),
        })
      return { ...amounts, outcome: outcome === 'declined' ? 'declined' : 'applied' }
    },
    async giveUpShipment(shipmentId, attempt) {
      await holds.as(systemCaller('order'), { deadlineMs: DEADLINE_MS }).giveUpShipmentHold({
        op_key: `shipment_expire:${shipmentId}:${attempt}`,
        shipment_id: shipmentId,
        place_op_key: holdKey(shipmentId, attempt),
      })
    },
    async releasePart(orderId) {
      await holds.as(systemCaller('order'), { deadlineMs: DEADLINE_MS }).releaseShipmentPart({ order_id: orderId })
    },
    async closeShipment(shipmentId) {
      await holds.as(systemCaller('order'), { deadlineMs: DEADLINE_MS }).closeShipmentHold({ shipment_id: shipmentId })
    },
    async collectCash({ orderId, merchantId, riderId, isTest, amountMinor, currency }) {
      const { outcome } = await cash.as(systemCaller('order'), { deadlineMs: DEADLINE_MS }).collectCash({
        op_key: `cash:${orderId}`,
        order_id: orderId,
        merchant_id: merchantId,
        rider_id: riderId,
        is_test: isTest,
        amount_minor: amountMinor,
        currency: currency ?? undefined,
      })
      return outcome === 'applied' || outcome === 'already_applied' ? outcome : 'declined'
    },
    async stop() {
      for (const client of [wallets, commissions, holds, cash]) client.close()
    },
  }
}

const holdKey = (shipmentId: string, attempt: number): string => `shipment:${shipmentId}:${attempt}`

function reservationOf(order: CarriedOrder): ReserveCommissionRequest {
  const { orderId, merchantId, version, riderId, ownAmountMinor, vehicleType, source } = order
  return {
    order_id: orderId,
    merchant_id: merchantId,
    order_version: version,
    rider_id: riderId,
    delivery_commission_minor: ownAmountMinor,
    vehicle_type: vehicleType,
    source,
  }
}
