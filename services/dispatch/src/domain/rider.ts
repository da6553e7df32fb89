import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'

export const VEHICLE_TYPES = ['motorcycle', 'car', 'van', 'truck'] as const
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const

export type VehicleType = (typeof VEHICLE_TYPES)[number]
export type KycStatus = (typeof KYC_STATUSES)[number]

/** A person who carries orders. */
export interface Rider {
  readonly id: string
  riderType: 'merchant_fleet' | 'freelancer'
  merchantId: string | null
  name: string
  phone: string
  phoneVerifiedAt: Date | null
  vehicleType: VehicleType
  city: string | null
  kycStatus: KycStatus
  isOnline: boolean
  /** Only the rider may prove or use this phone: it was a rider's before it joined the fleet. */
  proofRequired: boolean
  /** Since when it is of its fleet, which sees nothing of it that is older. */
  fleetSince: Date | null
  /** The merchant whose invite made the rider; null where it registered by itself. */
  createdBy: string | null
  /** It was a freelancer before it joined its fleet, and is one again afterwards. */
  wasFreelancer: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

/** A rider of a fleet. */
export type Member = Rider & { merchantId: string }

/** What a change of a rider sets. */
export type RiderChange = Partial<Omit<Rider, 'id' | 'createdAt' | 'updatedAt' | 'version'>>

export const isSandbox = (riderId: string): boolean => riderId === SANDBOX_RIDER.id

/** A caller, as far as it decides for which riders it may act. */
interface Acting {
  kind: string
  actor: { id: string }
  merchantId?: string
  isTest: boolean | null
  codeLoginAt?: number
}

/**
 * The rider for whom the caller may act: itself, one of the merchant's fleet, or for a test credential the sandbox rider alone.
 * Throws not_found for every other one, as for one that does not exist.
 */
export function requireOwn(caller: Acting, rider: Rider | null): Rider {
  if (rider && mayActFor(caller, rider)) return rider
  throw new ServiceError('not_found')
}

function mayActFor({ kind, actor, merchantId, isTest }: Acting, { id, merchantId: fleet }: Rider): boolean {
  if (kind === 'rider') return actor.id === id
  if (kind !== 'merchant' || !merchantId) return false
  return isTest === true ? isSandbox(id) : fleet === merchantId
}

/** The shared rider of the sandbox is the same for every tenant: no caller changes it. */
export function assertNotSandbox(riderId: string): void {
  if (isSandbox(riderId)) throw new ServiceError('forbidden', { message: 'The sandbox rider never changes.' })
}

/** Whether the rider may go online; throws kyc_not_approved. */
export function assertMayGoOnline({ kycStatus }: Pick<Rider, 'kycStatus'>, isKycRequired: boolean): void {
  if (!isKycRequired || kycStatus === 'approved') return
  throw new ServiceError('kyc_not_approved', { details: { kyc_status: kycStatus } })
}

/** What joining a fleet means for a known rider. One whose phone is not proven speaks for itself from its proof on. */
export const joinedFleet = ({ riderType, phoneVerifiedAt }: Rider, merchantId: string, now: Date): RiderChange => ({
  riderType: 'merchant_fleet',
  merchantId,
  fleetSince: now,
  wasFreelancer: riderType === 'freelancer',
  proofRequired: phoneVerifiedAt === null,
  isOnline: false,
})

/** What leaving the fleet means. */
export const leftFleet = ({ riderType, wasFreelancer }: Rider): RiderChange => ({
  riderType: wasFreelancer ? 'freelancer' : riderType,
  merchantId: null,
  fleetSince: null,
  wasFreelancer: false,
  isOnline: false,
  proofRequired: false,
})

/** How long after a log-in by code a rider may give itself another phone. */
const FRESH_LOGIN_MS = 3_600_000

/** Whether the merchant made the rider and no person has ever proven to be it. */
export const isNobodyYet = ({ createdBy, phoneVerifiedAt }: Rider, merchantId: string | undefined): boolean =>
  merchantId !== undefined && createdBy === merchantId && phoneVerifiedAt === null

/**
 * Throws forbidden unless the caller may give the rider another phone: the rider itself soon after a log-in by a code to
 * the present one, or the merchant that made a rider who has proven and earned nothing.
 */
export function assertMayMove(caller: Acting, rider: Rider, now: Date, hasLedger: boolean): void {
  if (caller.kind === 'rider') {
    const { codeLoginAt } = caller
    if (codeLoginAt !== undefined && now.getTime() - codeLoginAt * 1000 <= FRESH_LOGIN_MS) return
    const message = 'Log in by a code to your present phone first.'
    throw new ServiceError('forbidden', { message, details: { reason: 'fresh_login_required' } })
  }
  if (isNobodyYet(rider, caller.merchantId) && !hasLedger) return
  const message = 'Only the rider can move to another phone.'
  throw new ServiceError('forbidden', { message, details: { reason: 'rider_login_required' } })
}

/** What proving the phone means; null when nothing changes. */
export function provenPhone(rider: Rider, phone: string, now: Date): RiderChange | null {
  if (rider.phone === phone && rider.phoneVerifiedAt && !rider.proofRequired) return null
  return { phone, phoneVerifiedAt: now, proofRequired: false }
}

/** Whether a token of the shared sandbox rider speaks for no merchant: anybody has one, as often as they like. */
export const isOfNobody = ({ actor, merchantId }: Pick<Acting, 'actor' | 'merchantId'>): boolean =>
  isSandbox(actor.id) && merchantId === undefined

/** What an operator's patch means: anything but approved takes the rider offline, whatever else it says. */
export function patchedByOperator(
  rider: Pick<Rider, 'kycStatus' | 'isOnline'>,
  patch: { kycStatus?: KycStatus; isOnline?: boolean },
  isKycRequired: boolean,
): Pick<Rider, 'kycStatus' | 'isOnline'> {
  const { kycStatus = rider.kycStatus, isOnline = rider.isOnline } = patch
  if (patch.kycStatus !== undefined && kycStatus !== 'approved') return { kycStatus, isOnline: false }
  if (patch.isOnline) assertMayGoOnline({ kycStatus }, isKycRequired)
  return { kycStatus, isOnline }
}
