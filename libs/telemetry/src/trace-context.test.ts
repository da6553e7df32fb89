import { expect, test } from '@jest/globals'
import { currentTraceparent, withRemoteParent } from './trace-context.ts'

test('work runs unchanged in a process without tracing', () => {
  expect(currentTraceparent()).toBeUndefined()
  expect(withRemoteParent('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', () => 5)).toBe(5)
  expect(withRemoteParent('no traceparent at all', () => 6)).toBe(6)
})
