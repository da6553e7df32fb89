import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError, validationError } from '@svc/errors'
import { normalizePhone } from '@svc/phone'

export const VEHICLE_TYPES = ['motorcycle', 'car', 'van', 'truck'] as const
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const

export type VehicleType = (typeof VEHICLE_TYPES)[number]
export type KycStatus = (typeof KYC_STATUSES)[number]

/** Someone who carries orders. */
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
  /** Nobody but the rider may prove or use this phone: it was somebody's when it joined the fleet. */
  proofRequired: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

/** What a change of a rider sets. */
export type RiderChange = Partial<Omit<Rider, 'id' | 'createdAt' | 'updatedAt' | 'version'>>

export const isSandbox = (riderId: string): boolean => riderId === SANDBOX_RIDER.id

/** The number as E.164; throws for what cannot be one. */
export function requirePhone(text: string): string {
  const phone = normalizePhone(text)
  if (phone) return phone
  const message = 'phone must be E.164 or a Nigerian local number.'
  throw validationError([{ field: 'phone', rule: 'format', message }])
}

/** The shared rider of the sandbox is the same for every tenant: nobody changes it. */
export function assertNotSandbox(riderId: string): void {
  if (isSandbox(riderId)) throw new ServiceError('forbidden', { message: 'The sandbox rider never changes.' })
}

/** Whether the rider may go online; throws kyc_not_approved. */
export function assertMayGoOnline({ kycStatus }: Pick<Rider, 'kycStatus'>, isKycRequired: boolean): void {
  if (!isKycRequired || kycStatus === 'approved') return
  throw new ServiceError('kyc_not_approved', { details: { kyc_status: kycStatus } })
}

/** What joining a fleet means for someone who was a rider before: the phone has to be proven again. */
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
