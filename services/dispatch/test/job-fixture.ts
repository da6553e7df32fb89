import type { Job } from '../src/domain/job.ts'

export const NOW = new Date('2026-11-21T12:00:00Z')
export const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

/** A job that waits for a rider, but for the changes. */
export const aJob = (changes: Partial<Job> = {}): Job => ({
  orderId: 'o',
  merchantId: 'm',
  isTest: false,
  orderVersion: 1,
  status: 'pending',
  riderId: null,
  assignmentVersion: 0,
  pickupAddress: 'A',
  pickupLat: 6.4,
  pickupLng: 3.4,
  dropoffAddress: 'B',
  dropoffLat: 6.5,
  dropoffLng: 3.4,
  vehicleType: null,
  codAmountMinor: null,
  scheduledPickupAt: inMinutes(30),
  deliveryWindowEnd: inMinutes(180),
  orderCreatedAt: inMinutes(-1),
  search: 'idle',
  round: 0,
  step: 0,
  searchStartedAt: null,
  delayedAt: null,
  nextAt: NOW,
  acceptedAt: null,
  pickupLegMetres: null,
  arrivedPickupAt: null,
  departedAt: null,
  arrivedDropoffAt: null,
  pickedUpAt: null,
  eta: null,
  ...changes,
})
