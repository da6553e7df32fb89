import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { type Caller, grpcClient } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import type { Config } from '../config.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import { weightKg } from '../domain/vehicle.ts'

/** A creation waits for dispatch this long and no longer. */
const DEADLINE_MS = 1_500

/** What this service asks of dispatch, as the merchant that creates the order. Every refusal is a ServiceError. */
export interface Dispatch {
  /** Judges coverage and prices the order; null when there is nothing to judge. */
  price(draft: OrderDraft, caller: Caller): Promise<Price | null>
  /** Refuses a rider to whom no order of the merchant could be given now. */
  checkAssignable(riderId: string, caller: Caller): Promise<void>
  assign(orderId: string, riderId: string, caller: Caller): Promise<void>
}

/** Dispatch behind gRPC; null in a deployment without it, where nothing is priced and no rider assigned. */
export function connectDispatch(config: Config): (Dispatch & Part) | null {
  const { dispatchGrpcAddress: address, dispatchCallerSecret: secret } = config
  if (address === undefined || secret === undefined) return null
  const link = { address, from: 'order', to: 'dispatch', secret }
  const pricing = grpcClient(PricingServiceService, link)
  const assignments = grpcClient(AssignmentServiceService, link)
  const within = { deadlineMs: DEADLINE_MS }
  return {
    name: 'dispatch',
    async price(draft, caller) {
      const { pickup, dropoff, quoteId } = draft
      if (!pickup && !dropoff && !quoteId) return null
      const { fare, quote_id, own_fleet } = await pricing.as(caller, within).priceOrder({
        pickup: pickup ?? undefined,
        dropoff: dropoff ?? undefined,
        parcel: parcelOf(draft),
        quote_id: quoteId ?? undefined,
      })
      return { fee: fare ? feeOf(fare) : null, quoteId: quote_id ?? null, isOwnFleet: own_fleet }
    },
    async checkAssignable(riderId, caller) {
      await assignments.as(caller, within).checkAssignable({ rider_id: riderId })
    },
    async assign(orderId, riderId, caller) {
      await assignments
        .as(caller, { deadlineMs: 2 * DEADLINE_MS })
        .assignRider({ order_id: orderId, rider_id: riderId })
    },
    async stop() {
      for (const client of [pricing, assignments]) client.close()
    },
  }
}

function parcelOf({ standardized, vehicleTypeHint }: OrderDraft) {
  const number = (name: string) => (typeof standardized[name] === 'number' ? standardized[name] : undefined)
  return {
    vehicle_type: vehicleTypeHint ?? undefined,
    weight_kg: weightKg(standardized) ?? undefined,
    length_cm: number('length_cm'),
    width_cm: number('width_cm'),
    height_cm: number('height_cm'),
    is_fragile: standardized.is_fragile === true,
  }
}

interface Fare {
  fee_minor: number
  currency: string
  rate_card_id: string
  rate_card_version: number
}

const feeOf = ({ fee_minor, currency, rate_card_id, rate_card_version }: Fare): Price['fee'] => ({
  feeMinor: fee_minor,
  currency,
  rateCardId: rate_card_id,
  rateCardVersion: rate_card_version,
})
