import { expect, test } from '@jest/globals'
import { outcomeOf } from './outcome.ts'

test('what a client did and what the operator chose are not failures of the service', () => {
  expect(outcomeOf('ok')).toBe('ok')
  expect(outcomeOf('validation_error')).toBe('client')
  expect(outcomeOf('rate_limited')).toBe('client')
  expect(outcomeOf('simulator_disabled')).toBe('refused')
  expect(outcomeOf('payments_not_configured')).toBe('refused')
  expect(outcomeOf('service_unavailable')).toBe('server')
  expect(outcomeOf('internal_error')).toBe('server')
})
