import { expect, test } from '@jest/globals'
import { describe } from './park.ts'

test('a parked fact says what caused its failure, not only what was thrown', () => {
  const cause = new Error('canceling statement due to lock timeout')
  const thrown = new Error('The service is not available', { cause })
  expect(describe(thrown)).toBe('Error: The service is not available (Error: canceling statement due to lock timeout)')
  expect(describe('a word')).toBe('a word')
})
