import { expect, test } from '@jest/globals'
import { type ObjectAge, removeWithRows } from './remove-with-rows.ts'

const many = (count: number): ObjectAge[] =>
  Array.from({ length: count }, (_, nth) => ({ storageKey: `k${String(nth).padStart(4, '0')}`, at: '2026-01-01' }))

/** A table of these rows, a store that keeps some of their objects, and what was heard. */
function sample(rows: ObjectAge[], isStuck: (key: string) => boolean) {
  const kept: number[] = []
  return {
    rows,
    kept,
    run: (stopping: AbortSignal) =>
      removeWithRows(
        {
          async remove(key) {
            if (isStuck(key)) throw new Error('away')
          },
        },
        {
          oldest: async (after, limit) =>
            rows.filter(({ storageKey }) => !after || storageKey > after.storageKey).slice(0, limit),
          async remove(keys) {
            for (const key of keys)
              rows.splice(
                rows.findIndex(({ storageKey }) => storageKey === key),
                1,
              )
          },
          kept: (_error, count) => kept.push(count),
        },
        stopping,
      ),
  }
}

test('objects that the store keeps hold up no other, however many they are', async () => {
  const { rows, kept, run } = sample(many(350), (key) => key < 'k0120')
  await run(new AbortController().signal)
  expect(rows.map(({ storageKey }) => storageKey)).toEqual(many(120).map(({ storageKey }) => storageKey))
  expect(kept).toEqual([100, 20])
})

test('what is told to stop removes nothing more, and keeps the rows of what it has not removed', async () => {
  const { rows, kept, run } = sample(many(5), () => false)
  await run(AbortSignal.abort())
  expect([rows.length, kept]).toEqual([5, []])
})
