import { expect, test } from '@jest/globals'
import { namedKeys } from './named-keys.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

test('several keys keep their order, because the first one seals', () => {
  const keys = namedKeys.parse(`k2:${KEY},k1:${Buffer.alloc(32, 1).toString('base64')}`)
  expect(keys).toEqual([
    { id: 'k2', key: Buffer.alloc(32, 7) },
    { id: 'k1', key: Buffer.alloc(32, 1) },
  ])
})

test.each([
  ['no key at all', ','],
  ['too short a key', `k1:${Buffer.alloc(31).toString('base64')}`],
  ['a key without a name', KEY],
  ['a name that would end early in a sealed value', `k/1:${KEY}`],
])('%s is refused at the start', (_what, text) => {
  expect(namedKeys.safeParse(text).success).toBe(false)
})
