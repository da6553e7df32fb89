import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { batched } from './batched.ts'

/** A batched function whose shared rounds end when they are told to. */
function underTest(limit = 100, atOnce?: number) {
  const rounds: Array<{ items: readonly string[]; end(error?: Error): void }> = []
  const alone: string[] = []
  const run = batched<string, string>({
    limit,
    ...(atOnce !== undefined && { atOnce }),
    together: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => `${item} done`)))
        rounds.push({ items, end })
      }),
    async alone(item) {
      alone.push(item)
      if (item === 'bad') throw new Error('bad by itself')
      return `${item} alone`
    },
    isUndone: ({ message }: Error) => message === 'undone',
  } as Parameters<typeof batched<string, string>>[0])
  return { run, rounds, alone }
}

afterEach(() => {
  jest.useRealTimers()
})

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('items that share their work', () => {
  test('those of one turn go together, and then those that came meanwhile, each gets its own answer', async () => {
    const { run, rounds } = underTest()
    const first = [run('a'), run('b')]
    await turn()
    const rest = [run('c'), run('d')]
    await turn()
    expect(rounds.map(({ items }) => items)).toEqual([['a', 'b']])
    rounds[0]?.end()
    expect(await Promise.all(first)).toEqual(['a done', 'b done'])
    const inThatTurn = run('e')
    await turn()
    expect(rounds[1]?.items).toEqual(['c', 'd', 'e'])
    rounds[1]?.end()
    expect(await Promise.all([...rest, inThatTurn])).toEqual(['c done', 'd done', 'e done'])
    void run('f')
    await turn()
    expect(rounds[2]?.items).toEqual(['f'])
  })

  test('where two rounds may be under way a third waits for either, and takes all that came meanwhile', async () => {
    const { run, rounds } = underTest(100, 2)
    const all = [run('a'), run('b')]
    await turn()
    all.push(run('c'))
    await turn()
    for (const item of ['d', 'e']) {
      all.push(run(item))
      await turn()
    }
    expect(rounds.map(({ items }) => items)).toEqual([['a', 'b'], ['c']])
    rounds[1]?.end()
    await turn()
    await turn()
    expect(rounds.map(({ items }) => items)).toEqual([['a', 'b'], ['c'], ['d', 'e']])
    for (const each of rounds) each.end()
    expect(await Promise.all(all)).toEqual(['a done', 'b done', 'c done', 'd done', 'e done'])
  })

  test('what is beyond the limit of one round goes in another, where it may be under way', async () => {
    const { run, rounds } = underTest(2, 2)
    for (const item of ['a', 'b', 'c', 'd', 'e']) void run(item)
    await turn()
    await turn()
    expect(rounds.map(({ items }) => items)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  test('no more than the limit at once, in the order in which they came', async () => {
    const { run, rounds } = underTest(2)
    const all = ['a', 'b', 'c', 'd', 'e'].map((item) => run(item))
    for (let n = 0; n < 3; n++) {
      await turn()
      rounds[n]?.end()
      await turn()
    }
    expect(await Promise.all(all)).toEqual(['a done', 'b done', 'c done', 'd done', 'e done'])
    expect(rounds.map(({ items }) => items)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })

  test('one that is refused costs the others nothing: each is done by itself', async () => {
    const { run, rounds, alone } = underTest()
    const rest = Promise.allSettled([run('b'), run('bad')])
    await turn()
    rounds[0]?.end(new Error('undone'))
    const [good, bad] = await rest
    expect(good).toEqual({ status: 'fulfilled', value: 'b alone' })
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'bad by itself' } })
    expect(alone).toEqual(['b', 'bad'])
  })

  test('where nobody knows whether it was done it is not done again', async () => {
    const { run, rounds, alone } = underTest()
    const first = run('a')
    await turn()
    rounds[0]?.end(new Error('the connection was lost'))
    await expect(first).rejects.toThrow('the connection was lost')
    expect(alone).toEqual([])
    const second = run('b')
    await turn()
    rounds[1]?.end()
    expect(await second).toBe('b done')
  })

  test('a round that does not end holds up nobody for longer than a second', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    const { run, rounds } = underTest()
    const frozen = run('a')
    await turn()
    const behind = run('b')
    await jest.advanceTimersByTimeAsync(999)
    await turn()
    expect(rounds).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(1)
    await turn()
    rounds[1]?.end()
    expect(await behind).toBe('b done')
    await turn()
    const later = run('c')
    await turn()
    rounds[2]?.end()
    expect(await later).toBe('c done')
    rounds[0]?.end()
    expect(await frozen).toBe('a done')
  })

  test('no more than may weigh so much go together; one that weighs more goes by itself', async () => {
    const rounds: Array<readonly string[]> = []
    const run = batched<string, string>({
      limit: 3,
      weight: { of: ({ length }) => length, limit: 4 },
      async together(items) {
        rounds.push(items)
        await turn()
        return [...items]
      },
      alone: async (item) => item,
      isUndone: () => false,
    })
    const all = ['aa', 'bb', 'c', 'dddddd', 'e', 'f', 'g', 'h']
    expect(await Promise.all(all.map(run))).toEqual(all)
    expect(rounds).toEqual([['aa', 'bb'], ['c'], ['dddddd'], ['e', 'f', 'g'], ['h']])
  })

  test('a round runs in the context of its first item', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: Array<string | undefined> = []
    const run = batched<string, string>({
      limit: 10,
      async together(items) {
        seen.push(context.getStore())
        await turn()
        return [...items]
      },
      alone: async (item) => item,
      isUndone: () => false,
    })
    const runs = (names: string[]) => names.map((name) => context.run(name, () => run(name)))
    const first = runs(['x', 'y'])
    await turn()
    await Promise.all([...first, ...runs(['z'])])
    expect(seen).toEqual(['x', 'z'])
  })
})
