import { expect, test } from '@jest/globals'
import type { DriverAdmin } from './driver.ts'
import { lagReader } from './lag-reader.ts'

/** A cluster that answers as told, and counts who is connected. */
function cluster(answer: () => Promise<number>) {
  const seen = { connected: 0, made: 0 }
  const admin = async () => {
    seen.made++
    seen.connected++
    return {
      lag: answer,
      async close() {
        seen.connected--
      },
    } as Partial<DriverAdmin> as DriverAdmin
  }
  return { seen, reader: lagReader({ admin }, { group: 'group', topics: ['topic'] }) }
}

test('one connection serves every reading until it is closed', async () => {
  const { seen, reader } = cluster(async () => 7)
  expect([await reader.read(), await reader.read()]).toEqual([7, 7])
  expect(seen).toEqual({ connected: 1, made: 1 })
  await reader.close()
  expect(seen.connected).toBe(0)
})

test('a reading that failed leaves no connection, and the next one makes its own', async () => {
  const answers = [Promise.reject(new Error('no coordinator')), Promise.resolve(3)]
  const { seen, reader } = cluster(() => answers.shift()!)
  await expect(reader.read()).rejects.toThrow('no coordinator')
  expect(seen.connected).toBe(0)
  expect(await reader.read()).toBe(3)
  expect(seen).toEqual({ connected: 1, made: 2 })
})

test('nobody connects once it is closed', async () => {
  const { seen, reader } = cluster(async () => 7)
  await reader.read()
  await reader.close()
  await expect(reader.read()).rejects.toThrow('has stopped')
  expect(seen).toEqual({ connected: 0, made: 1 })
})

test('a reading that outlasts the end holds nobody up, and disconnects when it is over', async () => {
  const answer = Promise.withResolvers<number>()
  const { seen, reader } = cluster(() => answer.promise)
  const [first, second] = [reader.read(), reader.read()]
  await reader.close()
  answer.resolve(5)
  expect(await Promise.all([first, second])).toEqual([5, 5])
  expect(seen).toEqual({ connected: 0, made: 1 })
})
