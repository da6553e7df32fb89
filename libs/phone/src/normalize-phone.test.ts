import { expect, test } from '@jest/globals'
import { normalizePhone } from './normalize-phone.ts'

test.each([
  ['08031234567', '+2348031234567'],
  ['+2348031234567', '+2348031234567'],
  ['+14155552671', '+14155552671'],
])('%s is %s, however it is written', (given, expected) => {
  expect(normalizePhone(given)).toBe(expected)
  expect(normalizePhone(expected)).toBe(expected)
})

test.each([
  '',
  '8031234567',
  '0803123456',
  '080312345678',
  '+0803123456',
  '+234',
  '0803 123 4567',
  '+234803123456x',
  '２３４',
])('%j is no phone number', (given) => {
  expect(normalizePhone(given)).toBeNull()
})
