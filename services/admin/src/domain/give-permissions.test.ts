import { expect, test } from '@jest/globals'
import { assertMayGive } from './give-permissions.ts'

const holding = { kind: 'admin', permissions: ['a', 'b'] }

test('nobody gives what it does not hold, and is told what that is, once', () => {
  expect(() => assertMayGive(holding, ['b', 'a'])).not.toThrow()
  expect(() => assertMayGive(holding, [])).not.toThrow()
  expect(() => assertMayGive(holding, ['a', 'c', 'd', 'c'])).toThrow(
    expect.objectContaining({ code: 'forbidden', details: { required: ['c', 'd'] } }),
  )
  expect(() => assertMayGive({ kind: 'admin' }, ['a'])).toThrow()
})

test('a command of ours gives everything', () => {
  expect(() => assertMayGive({ kind: 'system' }, ['a'])).not.toThrow()
})
