import { expect, test } from '@jest/globals'
import { slots } from './slots.ts'

test('never more runs at once than there are slots, failures included, and everything gets its turn', async () => {
  const slot = slots(2)
  let running = 0
  let most = 0
  const done = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      slot(async () => {
        running += 1
        most = Math.max(most, running)
        await Promise.resolve()
        running -= 1
        if (index % 3 === 0) throw new Error('failed')
        return index
      }),
    ),
  )
  expect(most).toBe(2)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(13)
})
