import { expect, test } from '@jest/globals'
import { newClusterId } from './kafka.ts'

test('no cluster id looks like an option to the tool that formats its disk, so that no start in 64 fails', () => {
  const ids = Array.from({ length: 2_000 }, newClusterId)
  expect(ids.filter((id) => !/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
