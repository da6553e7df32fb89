import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { assertMayGoOnline, KYC_STATUSES, patchedByOperator, provenPhone, type Rider } from './rider.ts'

const refused = expect.objectContaining({ code: 'kyc_not_approved' })

test('nobody but the approved goes online, unless the operator does not ask for it', () => {
  expect(() => assertMayGoOnline({ kycStatus: 'approved' }, true)).not.toThrow()
  expect(() => assertMayGoOnline({ kycStatus: 'pending' }, false)).not.toThrow()
  for (const kycStatus of ['pending', 'rejected'] as const)
    expect(() => assertMayGoOnline({ kycStatus }, true)).toThrow(refused)
})

test('an operator who sets anything but approved takes the rider offline, whatever else the patch says', () => {
  const kyc = fc.constantFrom(...KYC_STATUSES)
  fc.assert(
    fc.property(
      kyc,
      fc.boolean(),
      kyc,
      fc.option(fc.boolean(), { nil: undefined }),
      (was, wasOnline, kycStatus, isOnline) => {
        const next = patchedByOperator({ kycStatus: was, isOnline: wasOnline }, { kycStatus, isOnline }, true)
        expect(next.kycStatus).toBe(kycStatus)
        if (kycStatus !== 'approved') expect(next.isOnline).toBe(false)
        else expect(next.isOnline).toBe(isOnline ?? wasOnline)
      },
    ),
  )
})

test('an operator cannot put an unapproved rider online', () => {
  expect(() => patchedByOperator({ kycStatus: 'pending', isOnline: false }, { isOnline: true }, true)).toThrow(refused)
})

test('a phone proven again changes nothing, a new or a taken over one does', () => {
  const now = new Date()
  const rider = { phone: '+2348031234567', phoneVerifiedAt: now, proofRequired: false } as Rider
  expect(provenPhone(rider, rider.phone, now)).toBeNull()
  expect(provenPhone(rider, '+2348039999999', now)).toMatchObject({ phone: '+2348039999999', phoneVerifiedAt: now })
  expect(provenPhone({ ...rider, proofRequired: true }, rider.phone, now)).toMatchObject({ proofRequired: false })
  expect(provenPhone({ ...rider, phoneVerifiedAt: null }, rider.phone, now)).toMatchObject({ phoneVerifiedAt: now })
})
