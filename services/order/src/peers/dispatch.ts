import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { ServiceError } from '@svc/errors'
import { type By, type Caller, grpcClient, systemCaller, type Tenant } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import type { Config } from '../config.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import { weightKg } from '../domain/vehicle.ts'

/** A creation waits for dispatch this long and no longer. */
const DEADLINE_MS = 1_500
/** It asks the object store. */
const PHOTO_DEADLINE_MS = 6_000

/** An assignment that the creation of an order asked for, and who asked. */
export interface WantedAssignment {
  orderId: string
  riderId: string
  merchantId: string
  actor: Caller['actor']
  actingFor?: string | undefined
}

/** What this service asks of dispatch, as its own caller unless it says otherwise. Every refusal is a ServiceError. */
export interface Dispatch {
  /** Judges coverage and prices the order; null when there is nothing to judge. */
  price(by: By<Tenant>, draft: OrderDraft): Promise<Price | null>
  /** Refuses a rider to whom no order of the merchant could be given now. */
  checkAssignable(by: By, riderId: string): Promise<void>
  /** Refuses what is no photo that the rider uploaded for this order. */
  claimPhoto(by: By, orderId: string, storageKey: string): Promise<void>
  /** As this service itself: the merchant has gone by now. */
  assign(wanted: WantedAssignment): Promise<void>
}

/** In the place of dispatch where none is wanted: nothing is priced, no quote and no rider is known. */
const noDispatch: Dispatch & Part = {
  name: 'dispatch',
  async price(_by, { quoteId }) {
    if (quoteId) throw new ServiceError('quote_mismatch')
    return null
  },
  async checkAssignable() {
    throw new ServiceError('not_found')
  },
  async claimPhoto() {
    throw new ServiceError('uploads_not_configured')
  },
  async assign() {
    // An assignment that was kept is not lost: it waits until there is a dispatch again.
    throw new ServiceError('service_unavailable')
  },
  async stop() {},
}

/** Dispatch behind gRPC. */
export function connectDispatch(config: Config): Dispatch & Part {
  const { dispatchGrpcAddress: address, dispatchCallerSecret: secret } = config
  if (address === undefined || secret === undefined) return noDispatch
  const link = { address, from: 'order', to: 'dispatch', secret }
  const pricing = grpcClient(PricingServiceService, link)
  const assignments = grpcClient(AssignmentServiceService, link)
  const proofs = grpcClient(ProofServiceService, link)
  return {
    name: 'dispatch',
    async price(by, draft) {
      const { pickup, dropoff, quoteId } = draft
      if (!pickup && !dropoff && !quoteId) return null
      // What a hook tells of nobody has called for: this service asks by itself.
      const isOurs = by.caller.kind === 'system'
      const { fare, quote_id, own_fleet } = await pricing
        .as(isOurs ? systemCaller('order') : by.caller, { deadlineMs: DEADLINE_MS, within: by })
        .priceOrder({
          merchant_id: isOurs ? by.scope.merchantId : undefined,
          pickup: pickup ?? undefined,
          dropoff: dropoff ?? undefined,
          parcel: parcelOf(draft),
          quote_id: quoteId ?? undefined,
        })
      return { fee: fare ? feeOf(fare) : null, quoteId: quote_id ?? null, isOwnFleet: own_fleet }
    },
    async checkAssignable(by, riderId) {
      await assignments.as(by.caller, { deadlineMs: DEADLINE_MS, within: by }).checkAssignable({ rider_id: riderId })
    },
    async claimPhoto(by, orderId, storageKey) {
      const asked = { order_id: orderId, photo_storage_key: storageKey }
      await proofs.as(by.caller, { deadlineMs: PHOTO_DEADLINE_MS, within: by }).claimPodPhoto(asked)
    },
    async assign({ orderId, riderId, merchantId, actor, actingFor }) {
      await assignments.as(systemCaller('order'), { deadlineMs: 2 * DEADLINE_MS }).assignRider({
        order_id: orderId,
        rider_id: riderId,
        merchant_id: merchantId,
        requester: { actor_type: actor.type, actor_id: actor.id, on_behalf_of: actingFor },
      })
    },
    async stop() {
      for (const client of [pricing, assignments, proofs]) client.close()
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
