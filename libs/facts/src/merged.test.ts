import { expect, test } from '@jest/globals'
import { merged } from './merged.ts'

test('what is brought in one turn, and all that is brought while a lot is at work, is handled together, in its order', async () => {
  const lots: number[][] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const bring = merged<number>(async (items) => {
    lots.push([...items])
    started.resolve()
    await gate
    return true
  })
  const first = [bring([1, 2]), bring([3])]
  await started.promise
  const second = [bring([4]), bring([5, 6])]
  open()
  expect(await Promise.all([...first, ...second])).toEqual([true, true, true, true])
  expect(lots).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
})

test('an outcome, also a failure, reaches everybody of its lot and nobody else', async () => {
  const bring = merged<string>(async ([outcome]) => {
    if (outcome === 'throw') throw new Error('no database')
    return outcome === 'true'
  })
  const failing = await Promise.allSettled([bring(['throw']), bring(['of the same lot'])])
  expect(failing.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await bring(['false'])).toBe(false)
  expect(await bring(['true'])).toBe(true)
})
