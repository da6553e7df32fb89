import { expect, test } from '@jest/globals'
import { Turns } from './turns.ts'

test('of one key one runs at a time, in the order they came, whatever becomes of those before', async () => {
  const turns = new Turns(10)
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await new Promise(setImmediate)
    seen.push(`${name} ends`)
    if (name === 'a') throw new Error(name)
    return name
  }
  const ends = await Promise.allSettled(['a', 'b', 'c'].map(async (name) => turns.take('one', 'a sender', work(name))))
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
})

test('no more wait than is allowed, other keys wait for none of them, and an end makes room', async () => {
  const turns = new Turns(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.take('one', 'a', () => promise)
  const second = turns.take('one', 'a', async () => 'second')
  expect(await turns.take('one', 'a', async () => 'third')).toBeUndefined()
  expect(await turns.take('other', 'a', async () => 'other')).toBe('other')
  resolve()
  await Promise.all([first, second])
  expect(await turns.take('one', 'a', async () => 'fourth')).toBe('fourth')
})

test('who sends little waits behind one of each that sends much, and has a place where they have taken all', async () => {
  const turns = new Turns(10)
  const { promise, resolve } = Promise.withResolvers<void>()
  const seen: string[] = []
  const take = (sender: string, name: string) =>
    turns.take('one', sender, async () => {
      await promise
      seen.push(name)
      return name
    })
  const flood = Array.from({ length: 20 }, (_, i) => take(i % 2 ? 'odd' : 'even', `${i}`))
  const quiet = take('quiet', 'quiet')
  resolve()
  expect(await quiet).toBe('quiet')
  expect(seen.length).toBeLessThanOrEqual(4)
  const ends = await Promise.all(flood)
  // The newest of theirs made room for it.
  expect(ends.filter((end) => end === undefined)).toHaveLength(11)
  expect(seen).toHaveLength(10)
  expect(await take('odd', 'again')).toBe('again')
})
