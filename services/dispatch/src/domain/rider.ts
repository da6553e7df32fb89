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
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

/** What a change of a rider sets. */
export type RiderChange = Partial<Omit<Rider, 'id' | 'createdAt' | 'updatedAt' | 'version'>>

export const isSandbox = (riderId: string): boolean => riderId === SANDBOX_RIDER.id

/** A caller, as far as it decides for which riders it may act. */
interface Acting {
  kind: string
  actor: { id: string }
  merchantId?: string
  isTest: boolean | null
}

/**
 * The rider for whom the caller may act: itself, one of the merchant's fleet, or for a test credential the sandbox rider.
 * Throws not_found for every other one, as for one that does not exist.
 */
export function requireOwn(caller: Acting, rider: Rider | null): Rider {
  if (rider && mayActFor(caller, rider)) return rider
  throw new ServiceError('not_found')
}

function mayActFor({ kind, actor, merchantId, isTest }: Acting, { id, merchantId: fleet }: Rider): boolean {
  if (kind === 'rider') return actor.id === id
  if (kind !== 'merchant' || !merchantId) return false
  return isSandbox(id) ? isTest === true : fleet === merchantId
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

/** What joining a fleet means for a known rider: the phone has to be proven again. */
export const joinedFleet = (merchantId: string): RiderChange => ({
  riderType: 'merchant_fleet',
  merchantId,
  phoneVerifiedAt: null,
  proofRequired: true,
  isOnline: false,
})

/** What leaving the fleet means. */
export const leftFleet = (): RiderChange => ({ merchantId: null, isOnline: false, proofRequired: false })

/** What proving the phone means; null when nothing changes. */
export function provenPhone(rider: Rider, phone: string, now: Date): RiderChange | null {
  if (rider.phone === phone && rider.phoneVerifiedAt && !rider.proofRequired) return null
  return { phone, phoneVerifiedAt: now, proofRequired: false }
}

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
