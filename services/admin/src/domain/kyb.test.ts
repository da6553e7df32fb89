import { describe, expect, test } from '@jest/globals'
import { KYB_STATUSES } from './enumerations.ts'
import { assertMaySubmit, assertNothingInfected, assertPayload, decisionBetween, judgeIdentification } from './kyb.ts'
import type { KybStatus } from './merchant-transitions.ts'

const SUBMITTED = new Date('2026-01-02T00:00:00Z')
const BEFORE = new Date('2026-01-01T00:00:00Z')
const AFTER = new Date('2026-01-03T00:00:00Z')

describe('a submission', () => {
  test.each(KYB_STATUSES)('of a business that is %s is taken unless it is verified', (status) => {
    const submit = () => assertMaySubmit(status)
    if (status === 'verified') expect(submit).toThrow(expect.objectContaining({ code: 'already_exists' }))
    else expect(submit).not.toThrow()
  })

  test('is any object of at most 64 KiB, counted in bytes', () => {
    const sized = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    for (const good of ['{}', '{"rc_number":"RC 1","directors":[{"name":"Ada"}]}', sized(64 * 1024)])
      expect(() => assertPayload(good)).not.toThrow()
    const tooLarge = expect.objectContaining({ code: 'payload_too_large', details: { limit_bytes: 65_536 } })
    expect(() => assertPayload(sized(64 * 1024 + 1))).toThrow(tooLarge)
    expect(() => assertPayload(JSON.stringify({ a: 'é'.repeat(33_000) }))).toThrow(tooLarge)
  })

  test.each([
    ['[]', 'payload_json'],
    ['null', 'payload_json'],
    ['{', 'payload_json'],
    ['{"documents":[]}', 'documents'],
  ])('%s is refused by the name of %s', (json, field) => {
    expect(() => assertPayload(json)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: expect.objectContaining({ field }) }),
    )
  })
})

test('an infected document stands in the way, and is named', () => {
  expect(() => assertNothingInfected([])).not.toThrow()
  expect(() => assertNothingInfected(['d'])).toThrow(
    expect.objectContaining({
      code: 'invalid_transition',
      details: { field: 'kyb_status', reason: 'infected_document', documents: ['d'] },
    }),
  )
})

describe("a provider's finding", () => {
  test.each<[KybStatus, boolean, Date, boolean, string]>([
    ['pending_review', true, AFTER, false, 'recorded'],
    ['pending_review', false, AFTER, false, 'recorded'],
    ['pending_review', true, SUBMITTED, false, 'recorded'],
    ['pending_review', true, BEFORE, false, 'of_an_earlier_submission'],
    ['pending_review', false, BEFORE, false, 'of_an_earlier_submission'],
    ['pending_review', true, AFTER, true, 'infected_document'],
    ['pending_review', false, AFTER, true, 'recorded'],
    ['verified', true, AFTER, false, 'not_pending'],
    ['verified', false, AFTER, false, 'not_pending'],
    ['rejected', true, AFTER, false, 'not_pending'],
    ['rejected', false, AFTER, false, 'not_pending'],
    ['not_submitted', true, AFTER, false, 'not_pending'],
  ])(
    'of a business that is %s (success: %s, at %p, infected: %s) is %s',
    (kybStatus, succeeded, at, hasInfected, is) => {
      expect(
        judgeIdentification(
          { kybStatus, submission: { submittedAt: SUBMITTED, isFirst: false }, hasInfected },
          { succeeded, occurredAt: at },
        ),
      ).toBe(is)
    },
  )

  test('of a business that an operator put under review counts whenever it was made', () => {
    const reviewed = { kybStatus: 'pending_review', submission: null, hasInfected: false } as const
    expect(judgeIdentification(reviewed, { succeeded: true, occurredAt: BEFORE })).toBe('recorded')
  })

  test('that came before a business submitted for the first time counts for that submission', () => {
    const submission = { submittedAt: SUBMITTED, isFirst: true }
    const reviewed = { kybStatus: 'pending_review', submission, hasInfected: false } as const
    expect(judgeIdentification(reviewed, { succeeded: true, occurredAt: BEFORE })).toBe('recorded')
  })
})

test.each([
  ['pending_review none', 'verified pending', 'verified'],
  ['verified pending', 'verified approved', 'approved'],
  ['not_submitted none', 'verified approved', 'approved'],
  ['rejected approved', 'verified approved', 'approved'],
  ['verified approved', 'verified approved', null],
  ['pending_review none', 'rejected none', 'rejected'],
  ['verified approved', 'rejected approved', 'rejected'],
  ['rejected none', 'rejected none', null],
  ['verified pending', 'verified rejected', 'approval_rejected'],
  ['not_submitted none', 'pending_review none', null],
])('from %s to %s the owner is told: %s', (from, to, decision) => {
  const standing = (text: string) => {
    const [kybStatus, businessApprovalStatus] = text.split(' ') as [KybStatus, string]
    return { kybStatus, businessApprovalStatus }
  }
  expect(decisionBetween(standing(from), standing(to))).toBe(decision)
})
