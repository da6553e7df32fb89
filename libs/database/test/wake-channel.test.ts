import { randomUUID } from 'node:crypto'
import { afterEach, test } from '@jest/globals'
import { wakeChannel } from '@svc/database'
import { eventually, testServers } from '@svc/testing'
import pg from 'pg'

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two processes of one service, and how often the second was woken. */
async function twoProcesses() {
  const { databaseAdminUrl } = await testServers()
  const name = `wake_${randomUUID().replaceAll('-', '')}`
  const join = (onWake: () => void) => {
    const pool = new pg.Pool({ connectionString: databaseAdminUrl, max: 1 })
    const channel = wakeChannel(pool, name, onWake)
    closing.push(
      () => pool.end(),
      () => channel.close(),
    )
    return channel
  }
  let woken = 0
  const [first, second] = [join(() => {}), join(() => woken++)]
  await second.listen()
  return { first, woken: () => woken }
}

test('a wake-up leaves at once: it is heard though its sender stops in the same moment', async () => {
  const { first, woken } = await twoProcesses()
  first.notify()
  first.close()
  await eventually(() => woken() === 1, { timeoutMs: 30_000 })
})

test('many wake-ups in one moment are two, of which one comes after the last of them', async () => {
  const { first, woken } = await twoProcesses()
  for (let index = 0; index < 1_000; index++) first.notify()
  await eventually(() => woken() === 2, { timeoutMs: 30_000 })
  first.notify()
  await eventually(() => woken() === 3, { timeoutMs: 30_000 })
})
