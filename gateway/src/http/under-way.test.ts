import { expect, test } from '@jest/globals'
import type { Limit } from './limits.ts'
import { LocalWindows } from './local-window.ts'
import { type Leave, UnderWay } from './under-way.ts'

const limit = (key: string, most: number): Limit => ({ key, name: key, limit: most, windowSeconds: 60 })

/** What is under way beside the failures of one process. */
function counted() {
  const windows = new LocalWindows(1)
  const lookEach = async (limits: readonly Limit[]) =>
    limits.map((limit) => {
      const { told: _, ...usage } = windows.count([limit], Date.now(), 'look')
      return { ...usage, retryAfterSeconds: 1, limit, epochs: undefined }
    })
  const fail = (...limits: Limit[]) => windows.count(limits, Date.now(), 'record')
  return { underWay: new UnderWay({ lookEach }, 1_000), fail }
}
const later = () => Date.now() + 60_000
const settled = () => new Promise(setImmediate)

test('as many run as may yet fail, under the wider limit too; the next get their turns in the order they came', async () => {
  const { underWay } = counted()
  const wide = limit('wide', 3)
  const seen: number[] = []
  const leaves: Leave[] = []
  const all = Array.from({ length: 10 }, (_, i) =>
    underWay.wait([limit(`narrow ${i}`, 1), wide], later()).then((entered) => {
      seen.push(i)
      leaves.push(entered as Leave)
    }),
  )
  await settled()
  expect(seen).toEqual([0, 1, 2])
  for (let i = 0; i < 10; i++) {
    leaves[i]?.()
    await settled()
    expect(seen.length).toBe(Math.min(10, i + 4))
  }
  await Promise.all(all)
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('those who wait at two limits block nobody for good, and recorded failures refuse all of them', async () => {
  const { underWay, fail } = counted()
  const [left, right, both] = [limit('left', 2), limit('right', 2), limit('both', 3)]
  let most = 0
  let running = 0
  const work = async (limits: Limit[]) => {
    const entered = await underWay.wait(limits, later())
    if (typeof entered !== 'function') return entered?.isUsedUp
    most = Math.max(most, ++running)
    await settled()
    running--
    entered()
    return 'ran'
  }
  const kinds = [[left, both], [right, both], [both, left], [left, right], [right]]
  const many = Array.from({ length: 200 }, (_, i) => work(kinds[i % kinds.length] as Limit[]))
  expect(new Set(await Promise.all(many))).toEqual(new Set(['ran']))
  expect(most).toBeLessThanOrEqual(4)

  const [first, second] = [await underWay.enter([left]), await underWay.enter([left])]
  const waiting = [1, 2, 3].map(() => underWay.wait([left], later()))
  await settled()
  fail(left)
  fail(left)
  for (const leave of [first, second]) (leave as Leave)()
  expect(await Promise.all(waiting)).toMatchObject([1, 2, 3].map(() => ({ isUsedUp: true })))
})

test('whoever gets no turn in time is told so, and keeps nobody else from theirs', async () => {
  const { underWay } = counted()
  const one = limit('one', 1)
  const leave = (await underWay.enter([one])) as Leave
  const patient = underWay.wait([one], later())
  expect(await underWay.wait([one], Date.now())).toBeUndefined()
  leave()
  expect(typeof (await patient)).toBe('function')
})
