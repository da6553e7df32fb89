import { ServiceError } from '@svc/errors'
import { type CancelPolicy, mayCancel } from './cancel-policy.ts'
import { type Act, eventsOf, type OrderEvent } from './order-event.ts'
import { isTerminal } from './order-status.ts'
import { SANDBOX_RIDER } from './sandbox-rider.ts'
import { type SimulatorAction, STATUS_AFTER } from './simulator.ts'
import { parseUnified, type UnifiedRecord } from './unified-record.ts'

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

/** One delivery job. Every change of status goes through a method of this class, and answers what to announce. */
export class Order {
  id!: string
  merchantId!: string
  isTest!: boolean
  source!: string
  externalOrderId!: string
  status!: string
  paymentVerified!: boolean
  unifiedJson!: string
  riderId!: string | null
  pickupLat!: number | null
  pickupLng!: number | null
  dropoffLat!: number | null
  dropoffLng!: number | null
  scheduledPickupAt!: Date
  deliveryWindowStart!: Date
  deliveryWindowEnd!: Date
  vehicleTypeHint!: string | null
  vehicleTypeSource!: string | null
  trackingToken!: string | null
  cancelledAt!: Date | null
  terminalAt!: Date | null
  requestFingerprint!: Buffer
  version!: number
  assignmentVersion!: number
  createdAt!: Date
  updatedAt!: Date

  /** Enters any status, leaving terminal ones included; announces nothing when the order has it already. */
  changeStatus(to: string, now: Date): Announcement[] {
    return this.perform({ from: this.status, to }, now)
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
    return this.perform({ from: this.status, to: 'cancelled' }, now)
  }

  /** Does what the sandbox rider would, from any status; announces nothing when the order has that status already. */
  simulate(action: SimulatorAction, now: Date): Announcement[] {
    const act: Act = { from: this.status, to: STATUS_AFTER[action] }
    if (act.from === act.to) return []
    if (action === 'accept') act.assignment = { previousRiderId: this.otherRider(SANDBOX_RIDER.id) }
    this.assign(SANDBOX_RIDER.id)
    return this.perform(act, now)
  }

  private perform(act: Act, now: Date): Announcement[] {
    const events = eventsOf(act)
    if (events.length === 0) return []
    if (act.from !== act.to) this.enter(act.to, now)
    this.updatedAt = now
    return events.map((event) => ({ ...event, version: ++this.version }))
  }

  private enter(status: string, now: Date): void {
    this.status = status
    this.cancelledAt = status === 'cancelled' ? now : null
    this.terminalAt = isTerminal(status) ? now : null
    this.rewrite((record) => {
      record.status = status
    })
  }

  private assign(riderId: string): void {
    if (this.riderId === riderId) return
    this.riderId = riderId
    this.assignmentVersion += 1
    this.rewrite((record) => {
      record.standardized.rider_id = riderId
    })
  }

  private otherRider(riderId: string): string | null {
    return this.riderId === riderId ? null : this.riderId
  }

  private rewrite(change: (record: UnifiedRecord) => void): void {
    const record = parseUnified(this.unifiedJson)
    change(record)
    this.unifiedJson = JSON.stringify(record)
  }
}
