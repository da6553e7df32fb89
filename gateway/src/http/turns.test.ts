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
  const ends = await Promise.allSettled(['a', 'b', 'c'].map(async (name) => turns.take('one', work(name))))
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
})

test('no more wait than is allowed, other keys wait for none of them, and an end makes room', async () => {
  const turns = new Turns(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.take('one', () => promise)
  const second = turns.take('one', async () => 'second')
  expect(turns.take('one', async () => 'third')).toBeUndefined()
  expect(await turns.take('other', async () => 'other')).toBe('other')
  resolve()
  await Promise.all([first, second])
  expect(await turns.take('one', async () => 'fourth')).toBe('fourth')
})
