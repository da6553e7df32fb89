import { describe, expect, test } from '@jest/globals'
import type { Limit } from './limits.ts'
import { type Looked, type Stand, TurnOfLimits } from './turn-of-limits.ts'

const limit = (key: string, windowSeconds = 60): Limit => ({ key, name: key, limit: 10, windowSeconds })

/** Counts in memory, as Redis does: what happened first, then how each stands. */
function counting() {
  const calls: Looked[][] = []
  const totals = new Map<string, number>()
  const turn = new TurnOfLimits(async (looked) => {
    calls.push([...looked])
    return looked.map(({ limit: { key, limit: most }, happened }) => {
      const total = (totals.get(key) ?? 0) + happened
      totals.set(key, total)
      return { admitted: total < most, remaining: Math.max(0, most - total - 1), resetSeconds: 60 }
    })
  })
  return { turn, calls, totals }
}

describe('limits of one turn of the event loop', () => {
  test('are asked of in one call, each once, and whoever asks is told of its own in its order', async () => {
    const { turn, calls, totals } = counting()
    totals.set('full', 10)
    const answers = await Promise.all([
      turn.look([limit('network'), limit('full')]),
      turn.look([limit('full'), limit('other'), limit('network')]),
      turn.look([limit('network', 3600)]),
    ])
    expect(calls.map((looked) => looked.map((each) => [each.limit.key, each.limit.windowSeconds]))).toEqual([
      [
        ['network', 60],
        ['full', 60],
        ['other', 60],
        ['network', 3600],
      ],
    ])
    expect(answers.map((stands) => stands.map(({ admitted }) => admitted))).toEqual([
      [true, false],
      [false, true, true],
      [true],
    ])
  })

  test('are counted as often as it happened, before anybody is told how they stand', async () => {
    const { turn, calls, totals } = counting()
    const [before] = await Promise.all([
      turn.look([limit('shop')]),
      ...Array.from({ length: 10 }, () => turn.look([limit('shop'), limit('claim')], 1)),
    ])
    expect([calls.length, totals.get('shop'), totals.get('claim')]).toEqual([1, 10, 10])
    expect(before?.map(({ admitted }) => admitted)).toEqual([false])
  })

  test('of the next turn are another call, which does not wait for the one before', async () => {
    const asked: Array<(stands: Stand[]) => void> = []
    const turn = new TurnOfLimits(() => new Promise((resolve) => asked.push(resolve)))
    const first = turn.look([limit('shop')])
    await new Promise(setImmediate)
    const second = turn.look([limit('shop')])
    await new Promise(setImmediate)
    expect(asked).toHaveLength(2)
    const stand = { admitted: true, remaining: 1, resetSeconds: 1 }
    for (const answer of asked.toReversed()) answer([stand])
    expect(await Promise.all([second, first])).toEqual([[stand], [stand]])
  })

  test('are asked of in several calls where there are very many, for others wait for each', async () => {
    const { turn, calls } = counting()
    const limits = Array.from({ length: 1_201 }, (_, i) => limit(`shop-${i}`))
    expect(await turn.look(limits)).toHaveLength(1_201)
    expect(calls.map((looked) => looked.length)).toEqual([500, 500, 201])
  })

  test('fail for all who asked, and for nobody who asks next', async () => {
    let isAway = true
    const turn = new TurnOfLimits(async (looked) => {
      if (isAway) throw new Error('away')
      return looked.map(() => ({ admitted: true, remaining: 1, resetSeconds: 1 }))
    })
    const told = await Promise.allSettled([turn.look([limit('one')]), turn.look([limit('two')], 1)])
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isAway = false
    expect(await turn.look([limit('one')])).toHaveLength(1)
  })
})
