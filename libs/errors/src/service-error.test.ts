import { expect, test } from '@jest/globals'
import { ServiceError } from './service-error.ts'

const forbidden = (details?: Record<string, unknown>) =>
  new ServiceError('forbidden', details ? { details } : {}).message

test('a 403 says what would permit it, wherever its details tell', () => {
  expect(forbidden({ reason: 'live_mode_required' })).toBe('This needs a live key (svc_live_…) or a log-in.')
  expect(forbidden({ required: ['orders:read', 'orders:write'] })).toBe(
    'The credential lacks orders:read, orders:write.',
  )
})

test('a 403 without such details, or of a reason that says enough by its own message, keeps its words', () => {
  expect(forbidden()).toBe('The credential does not permit this.')
  expect(forbidden({ reason: 'wrong_password' })).toBe('The credential does not permit this.')
  expect(new ServiceError('forbidden', { message: 'Mine.', details: { required: ['x'] } }).message).toBe('Mine.')
})
