import { expect, test } from '@jest/globals'
import { partitionOf } from './partition-of.ts'

// What the tests of Kafka's own client expect of its hash.
test.each([
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
])('the key %s has the partition that every other client gives it, so that its facts keep their order', (key, hash) => {
  for (const partitions of [1, 4, 1_000_003]) {
    expect(partitionOf(key, partitions)).toBe((hash & 0x7fffffff) % partitions)
  }
})
