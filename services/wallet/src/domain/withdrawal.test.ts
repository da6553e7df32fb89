import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { transferEnd } from './transfer-end.ts'
import { payoutReference, readPayoutReference } from './withdrawal.ts'

describe('the reference of a payout', () => {
  test('names the withdrawal, and each attempt after the first', () => {
    const withdrawalId = randomUUID()
    expect(payoutReference(withdrawalId, 1)).toBe(`wd_${withdrawalId}`)
    expect(payoutReference(withdrawalId, 2)).toBe(`wd_${withdrawalId}_2`)
    for (const attempt of [1, 2, 13])
      expect(readPayoutReference(payoutReference(withdrawalId, attempt))).toEqual({ withdrawalId, attempt })
  })

  test.each([
    '',
    'wd_',
    'wd_1',
    `wd_${randomUUID()}_`,
    `wd_${randomUUID()}_0`,
    `wd_${randomUUID()}_2x`,
    `x${randomUUID()}`,
  ])('%p is none of ours', (reference) => {
    expect(readPayoutReference(reference)).toBeNull()
  })
})

test.each([
  ['success', 'paid'],
  ['failed', 'failed'],
  ['rejected', 'failed'],
  ['reversed', 'reversed'],
  ['pending', null],
  ['otp', null],
  ['abandoned', 'failed'],
  ['a word of tomorrow', null],
  ['constructor', null],
])('a transfer that is %s ended as %p', (status, end) => {
  expect(transferEnd(status)).toBe(end)
})
