import { defineEntity, p, Type } from '@mikro-orm/core'
import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { parseExact } from '@svc/exact-json'
import { type CashReport, cashWanted } from '@svc/inputs'
import { type CancelPolicy, mayCancel } from './cancel-policy.ts'
import { type CashRecord, cashOutcome } from './cash.ts'
import { type Eta, isWorthTelling } from './eta.ts'
import { eventsOf, type OrderEvent, type Transition } from './order-event.ts'
import { isTerminal } from './order-status.ts'
import { type OrderTimes, timeTexts } from './order-times.ts'
import { type Progress, transitionBy } from './progress.ts'
import { FAILED_STATUSES, isUnderWay, nextForRider } from './rider-status.ts'
import { type SimulatorAction, STATUS_AFTER } from './simulator.ts'
import { type JsonObject, parseUnified, type UnifiedRecord } from './unified-record.ts'

/** One fact to announce: what happened, and which one of the order's facts it is, counted from 1. */
export interface Announcement extends OrderEvent {
  version: number
}

export interface Cancellation {
  reason: string
  notes: string | null
  actorType: string
  actorId: string
}

/** What a merchant may know of its rider. */
export interface RiderSummary {
  id: string
  name: string | null
  phone: string | null
  vehicleType: string | null
}

/** What a rider says of an order that is theirs. */
export interface RiderReport {
  status: string
  reason: string | null
  photoStorageKey: string | null
}

/** A json column as its text, so that the digits of numbers stay as they came. */
class JsonText extends Type<string, string> {
  override convertToJSValueSQL(column: string): string {
    return `${column}::text`
  }
  override getColumnType(): string {
    return 'json'
  }
}

const OrderSchema = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    isTest: p.boolean(),
    source: p.text(),
    externalOrderId: p.text(),
    status: p.text(),
    paymentVerified: p.boolean(),
    unifiedJson: p.type(JsonText),
    riderId: p.uuid().nullable(),
    riderName: p.text().nullable(),
    riderPhone: p.text().nullable(),
    riderVehicleType: p.text().nullable(),
    /** Its rider has said yes, collected or delivered by an act of its own; null where the rider had it before that was kept. */
    riderActed: p.boolean().nullable(),
    pickupLat: p.double().$type<number>().nullable(),
    pickupLng: p.double().$type<number>().nullable(),
    dropoffLat: p.double().$type<number>().nullable(),
    dropoffLng: p.double().$type<number>().nullable(),
    scheduledPickupAt: p.datetime(),
    deliveryWindowStart: p.datetime(),
    deliveryWindowEnd: p.datetime(),
    vehicleTypeHint: p.text().nullable(),
    vehicleTypeSource: p.text().nullable(),
    trackingToken: p.text().nullable(),
    eta: p.json<Eta>().nullable(),
    /** The estimate that merchants were told last. */
    announcedEta: p.json<Eta>().nullable(),
    feeMinor: p.bigint('number').nullable(),
    currency: p.text().nullable(),
    quoteId: p.uuid().nullable(),
    rateCardId: p.uuid().nullable(),
    rateCardVersion: p.integer().nullable(),
    cancelledAt: p.datetime().nullable(),
    terminalAt: p.datetime().nullable(),
    /** The open intent that settles the commission; until it ends nothing else changes the order. */
    settlingId: p.uuid().nullable(),
    /** As the wallet said last; null where nothing was settled or it was given back. */
    commissionState: p.text().$type<'held' | 'paid'>().nullable(),
    /** The attempt that came to that. */
    commissionAttempt: p.integer().nullable(),
    /** How many settlements were begun. Each has a key of its own in the wallet, which never forgets one. */
    settlementAttempts: p.integer(),
    requestFingerprint: p.blob().$type<Buffer>(),
    shipmentId: p.uuid().nullable(),
    shipmentRow: p.integer().nullable(),
    version: p.integer(),
    assignmentVersion: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
})

type Mapped = InstanceType<typeof OrderSchema.class>

/** What an order is made of: every column is there, null where it holds nothing. */
export type OrderFields = { [Field in keyof Mapped & string]-?: Exclude<Mapped[Field], undefined> }

const Fields = OrderSchema.class as new () => OrderFields

/** One delivery job. Every change of status goes through a method of this class, and answers what to announce. */
export class Order extends Fields {
  /** The draft of a shipment begins: from now on it is an order like any other. */
  begin(trackingToken: string, times: OrderTimes, now: Date): Announcement {
    this.trackingToken = trackingToken
    Object.assign(this, times)
    this.status = 'pending'
    this.version = 1
    this.updatedAt = now
    this.rewrite((record) => {
      record.status = 'pending'
      record.standardized = { ...record.standardized, ...timeTexts(times, record.standardized) }
    })
    return { type: 'order.created', version: 1 }
  }

  /** Enters any status, leaving terminal ones included; announces nothing when the order has it already. */
  changeStatus(to: string, now: Date): Announcement[] {
    return this.undergo({ from: this.status, to }, now)
  }

  /** Marks the payment; false when nothing changed. */
  markPayment(verified: boolean, now: Date): boolean {
    if (this.paymentVerified === verified) return false
    this.paymentVerified = verified
    this.updatedAt = now
    this.rewrite((record) => {
      record.payment_verified = verified
    })
    return true
  }

  /** Announces nothing when the order was cancelled already; throws cannot_cancel when the policy protects it. */
  cancel(cancellation: Cancellation, policy: CancelPolicy, now: Date): Announcement[] {
    if (this.status === 'cancelled') return []
    if (!mayCancel(this.status, policy)) {
      throw new ServiceError('cannot_cancel', { details: { status: this.status, policy } })
    }
    this.rewrite((record) => {
      const { reason, notes, actorType, actorId } = cancellation
      record.cancellation = { reason, notes, actor_type: actorType, actor_id: actorId, at: now.toISOString() }
    })
    return this.undergo({ from: this.status, to: 'cancelled' }, now)
  }

  /** Does what the sandbox rider would, from any status; announces nothing when the order has that status already. */
  simulate(action: SimulatorAction, now: Date): Announcement[] {
    const transition: Transition = { from: this.status, to: STATUS_AFTER[action] }
    if (transition.from === transition.to) return []
    if (action === 'accept') {
      transition.assignment = { previousRiderId: this.riderId === SANDBOX_RIDER.id ? null : this.riderId }
    }
    this.setRider(SANDBOX_RIDER)
    this.riderActed = true
    return this.undergo(transition, now)
  }

  /**
   * Gives the order to a rider, who need not accept it where `accepts` says so and has done it where `acts` does, or
   * (null) takes it from its rider. What is under way stays as far as it is; an order taken from a rider before the
   * pickup waits again.
   */
  commitRider(
    rider: RiderSummary | null,
    { accepts, acts }: { accepts: boolean; acts: boolean },
    now: Date,
  ): Announcement[] {
    const { riderId: previousRiderId, status: from } = this
    const isChange = previousRiderId !== (rider?.id ?? null)
    const to = this.statusWith(rider, accepts, isChange)
    if (acts && !isChange) this.riderActed = true
    if (!isChange && from === to) return []
    this.setRider(rider)
    if (acts) this.riderActed = true
    return this.undergo({ from, to, assignment: { previousRiderId: isChange ? previousRiderId : null } }, now)
  }

  /**
   * Its rider gives the order back; throws invalid_transition once the order has ended or the rider has acted. An
   * acceptance that others have set ends with it; what they say is collected stays so.
   */
  giveBack(reason: string | null, now: Date): Announcement[] {
    const { status, riderId } = this
    if (isTerminal(status) || hasRiderActed(this)) {
      throw new ServiceError('invalid_transition', { details: { status, allowed: nextForRider(status) } })
    }
    this.rewrite((record) => {
      record.decline = { reason, actor_type: 'rider', actor_id: String(riderId), at: now.toISOString() }
    })
    return this.commitRider(null, { accepts: false, acts: false }, now)
  }

  /** What its rider reports, strictly in sequence; the status that the order has already announces nothing. */
  advance({ status, reason, photoStorageKey }: RiderReport, podRequired: boolean, now: Date): Announcement[] {
    const { status: from, riderId } = this
    if (from === status) {
      this.riderActed = true
      return []
    }
    const allowed = nextForRider(from)
    if (!allowed.includes(status)) throw new ServiceError('invalid_transition', { details: { status: from, allowed } })
    if (status === 'delivered' && podRequired && !this.hasProof()) throw new ServiceError('pod_required')
    if (photoStorageKey !== null) {
      this.rewrite((record) => {
        record.pod = { ...record.pod, photo_storage_key: photoStorageKey }
      })
    }
    if (reason !== null && FAILED_STATUSES.has(status)) {
      this.rewrite((record) => {
        record.failure = { status, reason, actor_type: 'rider', actor_id: String(riderId), at: now.toISOString() }
      })
    }
    this.riderActed = true
    // The rider says yes to what was given to them without asking: told as any other acceptance.
    return this.undergo(
      { from, to: status, ...(status === 'accepted' && { assignment: { previousRiderId: null } }) },
      now,
    )
  }

  /** Keeps the proof that the goods arrived and enters the status that this means, if any. */
  recordProof(pod: JsonObject, status: string | null, now: Date): Announcement[] {
    this.updatedAt = now
    this.riderActed = true
    this.rewrite((record) => {
      record.pod = { ...pod, photo_storage_key: pod.photo_storage_key ?? record.pod?.photo_storage_key ?? null }
    })
    return this.changeStatus(status ?? this.status, now)
  }

  /** Whether it is proven that the goods arrived. */
  hasProof(): boolean {
    return Boolean(parseUnified(this.unifiedJson).pod?.verified_at)
  }

  /** What was collected for the merchant in cash; a refusal is none, and such an order may be brought again. */
  collectedCash(): CashRecord | null {
    const { cod } = parseUnified(this.unifiedJson)
    return cod && cod.status !== 'refused' ? cod : null
  }

  /** Whether its rider is to collect cash. */
  wantsCash(): boolean {
    return cashWanted(parseUnified(this.unifiedJson).standardized) !== null
  }

  /**
   * Keeps what its rider says of the cash at the end that the order is to come to. Answers what was taken for the
   * merchant by that, null where it is nothing: cash is collected once.
   */
  reportCash(to: string, report: CashReport, now: Date): CashRecord | null {
    if (this.collectedCash() || this.riderId === null) return null
    const { standardized } = parseUnified(this.unifiedJson)
    const outcome = cashOutcome(standardized, to, report)
    if (!outcome) return null
    const { cod_currency: stated } = standardized
    const currency = typeof stated === 'string' ? stated.toUpperCase() : this.currency
    const cod: CashRecord = { ...outcome, currency, rider_id: this.riderId, at: now.toISOString() }
    this.updatedAt = now
    this.rewrite((record) => {
      record.cod = cod
    })
    return cod.collected_minor > 0 ? cod : null
  }

  /** What positions and timers show; null when it no longer applies to this order. */
  report(progress: Progress, now: Date): Announcement[] | null {
    const transition = transitionBy(progress, this)
    if (transition === null) return null
    if (progress.kind !== 'eta') return this.undergo(transition, now)
    this.eta = progress.eta
    if (progress.eta === null || !isWorthTelling(this.announcedEta, progress.eta)) return []
    this.announcedEta = progress.eta
    return this.undergo(transition, now)
  }

  /** From now on the order waits for the outcome of an intent, its next attempt. */
  awaitSettlement({ id, attempt }: { id: string; attempt: number }): void {
    this.settlingId = id
    this.settlementAttempts = attempt
  }

  /** The order waits no more; what an attempt came to, if money moved. */
  endSettlement(commission: { state: 'held' | 'paid'; attempt: number } | null): void {
    this.settlingId = null
    if (!commission) return
    this.commissionState = commission.state
    this.commissionAttempt = commission.attempt
  }

  /**
   * What a change of the order means for a commission in escrow: it goes back to its payer where the order
   * has left the status that earned it, and to the rider where the payment has been verified. Null: it stays.
   */
  resolveEscrow(before: { status: string; paymentVerified: boolean }, isTrigger: boolean): 'void' | 'release' | null {
    if (this.commissionState !== 'held') return null
    if (this.status !== before.status && !isTrigger) {
      this.commissionState = null
      return 'void'
    }
    if (!this.paymentVerified || before.paymentVerified) return null
    this.commissionState = 'paid'
    return 'release'
  }

  private undergo(transition: Transition, now: Date): Announcement[] {
    const events = eventsOf(transition)
    if (events.length === 0) return []
    if (transition.from !== transition.to) this.enter(transition.to, now)
    this.updatedAt = now
    return events.map((event) => ({ ...event, version: ++this.version }))
  }

  private enter(status: string, now: Date): void {
    this.status = status
    this.cancelledAt = status === 'cancelled' ? now : null
    this.terminalAt = isTerminal(status) ? now : null
    if (this.terminalAt) this.forgetEta()
    this.rewrite((record) => {
      record.status = status
    })
  }

  private statusWith(rider: RiderSummary | null, accepts: boolean, isChange: boolean): string {
    const { status } = this
    if (rider) return accepts && !isUnderWay(status) ? 'accepted' : status
    return isChange && status === 'accepted' ? 'pending' : status
  }

  private setRider(rider: RiderSummary | null): void {
    this.riderName = rider?.name ?? null
    this.riderPhone = rider?.phone ?? null
    this.riderVehicleType = rider?.vehicleType ?? null
    if (this.riderId === (rider?.id ?? null)) return
    this.riderId = rider?.id ?? null
    this.riderActed = rider ? false : null
    this.assignmentVersion += 1
    this.forgetEta()
    this.rewrite(({ standardized }) => {
      if (rider) standardized.rider_id = rider.id
      else delete standardized.rider_id
    })
  }

  /** An estimate holds for one rider and for as long as there is something to expect. */
  private forgetEta(): void {
    this.eta = null
    this.announcedEta = null
  }

  private rewrite(change: (record: UnifiedRecord) => void): void {
    const record = parseExact(this.unifiedJson) as UnifiedRecord
    change(record)
    this.unifiedJson = JSON.stringify(record)
  }
}

OrderSchema.setClass(Order)

/** Throws invalid_state for an order that was never announced: drafts of a shipment are changed by the shipment alone. */
export function refuseDraft({ version, status }: Pick<OrderFields, 'version' | 'status'>): void {
  if (version > 0) return
  const message = 'The order is a draft of a shipment, and changes only with it.'
  throw new ServiceError('invalid_state', { message, details: { status } })
}

/** Whether its rider has taken it on by an act of its own: neither an assignment nor a status set by others is one. */
export const hasRiderActed = ({ riderActed, status }: Pick<OrderFields, 'riderActed' | 'status'>): boolean =>
  riderActed ?? isUnderWay(status)
