import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { RehearsalServiceService } from '@svc/contracts/dispatch/v1/rehearsal_service'
import { ServiceError } from '@svc/errors'
import { type By, type Caller, grpcClient, systemCaller, type Tenant } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import type { Config } from '../config.ts'
import type { OrderDraft, Point } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import type { EstimateCard } from '../domain/shipment.ts'
import { weightKg } from '../domain/vehicle.ts'

/** A creation waits for dispatch this long and no longer. */
const DEADLINE_MS = 1_500
/** Five thousand drop-offs are looked up at once. */
const ESTIMATES_DEADLINE_MS = 15_000
/** It asks this service in turn, and the wallet. */
const ACT_DEADLINE_MS = 10_000
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

/** Deliveries from one pickup. */
export interface WantedEstimates {
  merchantId: string
  pickup: Point | null
  dropoffs: readonly Point[]
  /** When is dispatch open next, from then on? */
  opensFrom: Date | null
}

export interface Estimates {
  card: EstimateCard | null
  /** Whether there is a dispatch that prices at all. */
  isPriced: boolean
  isPickupOutside: boolean
  /** In the order of the drop-offs. */
  fares: Array<{ isOutside: boolean; feeMinor: number | null }>
  minimumFeeMinor: number | null
  opensAt: Date | null
}

/** What the sandbox rider is to do with a test order. */
interface WantedAct {
  orderId: string
  merchantId: string
  act: string
  /** An offer stands for so long at least. */
  stayMs: number
  point: Point | null
  code: string | null
}

/** What this service asks of dispatch, as its own caller unless it says otherwise. Every refusal is a ServiceError. */
export interface Dispatch {
  /** Judges coverage and prices the order; null when there is nothing to judge. */
  price(by: By<Tenant>, draft: OrderDraft): Promise<Price | null>
  /** Judges coverage and estimates the fares of the orders of a shipment. */
  estimate(wanted: WantedEstimates): Promise<Estimates>
  /** Refuses a rider to whom no order of the merchant could be given now. */
  checkAssignable(by: By, riderId: string): Promise<void>
  /** Refuses what is no photo that the rider uploaded for this order. */
  claimPhoto(by: By, orderId: string, storageKey: string): Promise<void>
  /** As this service itself: the merchant has gone by now. */
  assign(wanted: WantedAssignment): Promise<void>
  /** As this service itself: one act of a scenario. */
  playSandboxRider(wanted: WantedAct): Promise<void>
}

/** In the place of dispatch where none is wanted: nothing is priced, no quote and no rider is known. */
const noDispatch: Dispatch & Part = {
  name: 'dispatch',
  async price(_by, { quoteId }) {
    if (quoteId) throw new ServiceError('quote_mismatch')
    return null
  },
  async estimate({ dropoffs, opensFrom }) {
    const fares = dropoffs.map(() => ({ isOutside: false, feeMinor: null }))
    return { card: null, isPriced: false, isPickupOutside: false, fares, minimumFeeMinor: null, opensAt: opensFrom }
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
  async playSandboxRider() {
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
  const rehearsals = grpcClient(RehearsalServiceService, link)
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
    async estimate({ merchantId, pickup, dropoffs, opensFrom }) {
      const { rate_card, pickup_outside, fares, minimum_fee_minor, opens_at } = await pricing
        .as(systemCaller('order'), { deadlineMs: ESTIMATES_DEADLINE_MS })
        .estimateFares({
          merchant_id: merchantId,
          pickup: pickup ?? undefined,
          dropoffs: [...dropoffs],
          opens_from: opensFrom?.toISOString(),
        })
      return {
        card: rate_card ?? null,
        isPriced: true,
        isPickupOutside: pickup_outside,
        fares: fares.map(({ outside, fee_minor }) => ({ isOutside: outside, feeMinor: fee_minor ?? null })),
        minimumFeeMinor: minimum_fee_minor ?? null,
        opensAt: opens_at === undefined ? null : new Date(opens_at),
      }
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
    async playSandboxRider({ orderId, merchantId, act, stayMs, point, code }) {
      await rehearsals.as(systemCaller('order'), { deadlineMs: ACT_DEADLINE_MS }).playSandboxRider({
        order_id: orderId,
        merchant_id: merchantId,
        act,
        stay_seconds: Math.ceil(stayMs / 1_000),
        point: point ?? undefined,
        code: code ?? undefined,
      })
    },
    async stop() {
      for (const client of [pricing, assignments, proofs, rehearsals]) client.close()
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
