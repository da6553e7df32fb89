import { expect, test } from '@jest/globals'
import { worker } from './worker.ts'

const FOR_EVER_MS = 1_000_000

test('work goes on while there is any, and a failed piece is tried again', async () => {
  const done = Promise.withResolvers<void>()
  const seen: string[] = []
  const pieces = ['a', 'fails', 'b']
  const loop = worker({
    name: 'test',
    pollMs: 1,
    failed: 'a piece failed',
    async work() {
      const piece = pieces.shift()
      if (!piece) done.resolve()
      if (piece === 'fails') throw new Error(piece)
      if (piece) seen.push(piece)
      return piece !== undefined
    },
  })
  await loop.start()
  await done.promise
  await loop.stop()
  expect(seen).toEqual(['a', 'b'])
})

test('a wake-up that comes during work is not lost', async () => {
  const third = Promise.withResolvers<void>()
  let rounds = 0
  const loop = worker({
    name: 'test',
    pollMs: FOR_EVER_MS,
    failed: '',
    async work() {
      rounds += 1
      if (rounds < 3) loop.wake()
      else third.resolve()
      return false
    },
  })
  await loop.start()
  await third.promise
  await loop.stop()
  expect(rounds).toBe(3)
})

test('it sleeps until the next piece is due, and after failures as long as it is told', async () => {
  const fourth = Promise.withResolvers<void>()
  const failures: number[] = []
  let rounds = 0
  const loop = worker({
    name: 'test',
    pollMs: FOR_EVER_MS,
    failed: 'a round failed',
    nextDueInMs: async () => 1,
    retryInMs(count) {
      failures.push(count)
      return 1
    },
    async work() {
      rounds += 1
      if (rounds === 2 || rounds === 3) throw new Error('away')
      if (rounds === 4) fourth.resolve()
      return false
    },
  })
  await loop.start()
  await fourth.promise
  await loop.stop()
  expect(failures).toEqual([1, 2])
})

test('a lane that is busy holds up no other one, and stopping waits for it', async () => {
  const isFree = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  let begun = 0
  let isDone = false
  const loop = worker({
    name: 'test',
    lanes: 2,
    pollMs: FOR_EVER_MS,
    failed: '',
    async work(signal) {
      begun += 1
      if (begun === 1) {
        await isFree.promise
        expect(signal.aborted).toBe(true)
        isDone = true
      }
      if (begun === 2) setImmediate(loop.wake)
      if (begun === 3) others.resolve()
      return false
    },
  })
  await loop.start()
  await others.promise
  const stopped = loop.stop()
  isFree.resolve()
  await stopped
  expect(isDone).toBe(true)
})

test('of lanes that sleep one looks at each poll', async () => {
  let looks = 0
  const loop = worker({
    name: 'test',
    lanes: 4,
    pollMs: 100,
    failed: '',
    async work() {
      looks += 1
      return false
    },
  })
  const startedAt = performance.now()
  await loop.start()
  await eventually(() => looks >= 10)
  await loop.stop()
  // Four at the start; six more take six polls.
  expect(performance.now() - startedAt).toBeGreaterThan(500)
})

test('what a poll finds wakes the other lanes, and a lane that hangs at it leaves the polls to them', async () => {
  const isFree = Promise.withResolvers<void>()
  const due: string[] = []
  const seen: string[] = []
  let idle = 0
  const loop = worker({
    name: 'test',
    lanes: 3,
    pollMs: 20,
    failed: '',
    async work() {
      const piece = due.shift()
      if (!piece) idle += 1
      else seen.push(piece)
      if (piece === 'hangs') await isFree.promise
      return piece !== undefined
    },
  })
  await loop.start()
  await eventually(() => idle >= 3)
  // Nobody wakes the worker.
  due.push('hangs', 'hangs', 'a', 'b')
  await eventually(() => seen.length === 4)
  isFree.resolve()
  await loop.stop()
  expect(seen).toEqual(['hangs', 'hangs', 'a', 'b'])
})

/** The limit is that of the test. */
async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}
