import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { batched } from './batched.ts'

/** Doubles numbers; every round of `together` ends when it is told to. */
function doubling({ isUndone = true } = {}) {
  const rounds: Array<{ items: readonly number[]; end: (error?: Error) => void }> = []
  const alone: number[] = []
  const double = batched<number, number>({
    limit: 3,
    async alone(item) {
      alone.push(item)
      if (item < 0) throw new Error('negative')
      return item * 2
    },
    together: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => item * 2)))
        rounds.push({ items, end })
      }),
    isUndone: () => isUndone,
  })
  return { double, rounds, alone }
}

describe('items', () => {
  test('that find nothing under way start at once; the others wait and go together, at most the limit', async () => {
    const { double, rounds } = doubling()
    const results = [1, 2, 3, 4, 5].map(double)
    expect(rounds.map(({ items }) => items)).toEqual([[1]])
    rounds[0]?.end()
    expect(await results[0]).toBe(2)
    await turn()
    rounds[1]?.end()
    expect(await Promise.all(results.slice(1, 4))).toEqual([4, 6, 8])
    await turn()
    rounds[2]?.end()
    expect(await results[4]).toBe(10)
    expect(rounds.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]])
  })

  test('whose round failed are done alone, and only the one at fault fails', async () => {
    const { double, rounds, alone } = doubling()
    const results = [1, -2, 3].map(double)
    rounds[0]?.end()
    await turn()
    rounds[1]?.end(new Error('together'))
    await expect(results[1]).rejects.toThrow('negative')
    expect(await results[2]).toBe(6)
    expect(alone).toEqual([-2, 3])
  })

  test('that may have been done are not done again', async () => {
    const { double, rounds, alone } = doubling({ isUndone: false })
    const result = double(1)
    rounds[0]?.end(new Error('the connection was lost'))
    await expect(result).rejects.toThrow('the connection was lost')
    expect(alone).toEqual([])
    await turn()
    const next = double(2)
    rounds[1]?.end()
    expect(await next).toBe(4)
  })

  test('are done in the trace of one of them, never of an earlier round', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen: Array<string | undefined> = []
    const work = async (items: readonly number[]) => {
      seen.push(request.getStore())
      return items
    }
    const same = batched<number, number>({
      limit: 9,
      alone: async (item) => item,
      together: work,
      isUndone: () => true,
    })
    await Promise.all(['a', 'b', 'c'].map((name, n) => request.run(name, () => same(n))))
    expect(seen).toEqual(['a', 'b'])
  })
})
