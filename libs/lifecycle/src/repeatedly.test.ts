import { expect, test } from '@jest/globals'
import { repeatedly } from './repeatedly.ts'

test('a chore is done at the start and again, a failed round included', async () => {
  const third = Promise.withResolvers<void>()
  let rounds = 0
  const chore = repeatedly({
    name: 'test',
    everyMs: 1,
    async work() {
      rounds += 1
      if (rounds === 1) throw new Error('the first round fails')
      if (rounds === 3) third.resolve()
    },
  })
  await chore.start?.()
  await third.promise
  await chore.stop?.()
})

test('stopping waits for the round under way, tells it, and lets no other begin', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  const release = Promise.withResolvers<void>()
  let rounds = 0
  let isDone = false
  const chore = repeatedly({
    name: 'test',
    everyMs: 0,
    async work(signal) {
      rounds += 1
      begun.resolve(signal)
      await release.promise
      isDone = true
    },
  })
  await chore.start?.()
  const signal = await begun.promise
  const stopped = chore.stop?.()
  expect(signal.aborted).toBe(true)
  release.resolve()
  await stopped
  expect([isDone, rounds]).toEqual([true, 1])
})
