import { afterEach, describe, expect, test } from '@jest/globals'
import { callBy, merchant, orderClient, startOrderService, transports } from './order-service.ts'

const closers: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const HOSTS = ['127.0.0.1', '127.0.0.2'] as const
const PATIENT = { deadlineMs: 60_000 }

/** Replicas at one port of several addresses; `served` has by which of them each call was served, as often as it was. */
function replicas() {
  const served = new Map<string, string[]>()
  let port = 0
  const start = async (host: string, serving: () => Promise<void> = async () => {}) => {
    const { address, stop } = await startOrderService(
      {
        cancelOrder: async ({ id }) => {
          served.set(id, [...(served.get(id) ?? []), host])
          await serving()
          return { order: undefined, already_cancelled: false }
        },
      },
      { host, port },
    )
    port = Number(address.split(':')[1])
    let isStopped = false
    const stopOnce = async (): Promise<void> => {
      if (isStopped) return
      isStopped = true
      await stop()
    }
    closers.push(stopOnce)
    return stopOnce
  }
  return { start, served, port: () => port }
}

/** A name in a directory of this test, and a client of what it stands for. */
function named(port: number, ...ips: string[]) {
  return looksUpEvery(20, port, ...ips)
}

function looksUpEvery(lookupEveryMs: number, port: number, ...ips: string[]) {
  const name = { ips, lookups: 0 }
  const lookup = async () => {
    name.lookups += 1
    if (name.ips.length === 0) throw new Error('ENOTFOUND')
    return name.ips
  }
  const orders = orderClient(`order.test:${port}`, { lookup, lookupEveryMs })
  closers.push(() => orders.close())
  return { name, orders }
}

type Orders = ReturnType<typeof named>['orders']

/** Calls without end, each with an id of its own, by so many callers; what fails is kept. */
function load(orders: Orders, callers = 20) {
  const answered: string[] = []
  const failures: unknown[] = []
  let isOver = false
  let ids = 0
  const call = async (): Promise<void> => {
    while (!isOver) {
      ids += 1
      const id = String(ids)
      await orders
        .as(merchant, PATIENT)
        .cancelOrder({ id, reason: 'x' })
        .then(
          () => answered.push(id),
          (error) => failures.push(error),
        )
    }
  }
  const done = Promise.all(Array.from({ length: callers }, call))
  const end = async (): Promise<void> => {
    isOver = true
    await done
  }
  closers.push(end)
  return { answered, failures, end }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn()
}

describe.each(transports)('calls by %s streams', (way) => {
  test('a replica that joins under load serves its share, and no call fails', async () => {
    callBy(way)
    const { start, served, port } = replicas()
    await start(HOSTS[0])
    const { name, orders } = named(port(), HOSTS[0])
    const { answered, failures, end } = load(orders)
    await until(() => answered.length > 200)

    await start(HOSTS[1])
    name.ips = [...HOSTS]
    await until(() => [...served.values()].some(([host]) => host === HOSTS[1]))
    const joined = served.size
    await until(() => served.size > joined + 1_000)
    await end()
    const by = (host: string) => [...served.values()].slice(joined).filter(([first]) => first === host).length
    expect(failures).toEqual([])
    for (const host of HOSTS) expect(by(host)).toBeGreaterThan((served.size - joined) / 3)
  })

  test('replicas that stop and start again one by one fail no call, and none is served twice', async () => {
    callBy(way)
    const { start, served, port } = replicas()
    const stops = [await start(HOSTS[0]), await start(HOSTS[1])]
    const { orders } = named(port(), ...HOSTS)
    const { answered, failures, end } = load(orders)
    const lastBy = (host: string) => served.get(answered.at(-1) ?? '')?.includes(host) ?? false
    await until(() => answered.length > 200)

    for (const index of [0, 1, 0, 1, 0, 1]) {
      await stops[index]?.()
      const stopped = answered.length
      await until(() => answered.length > stopped + 100)
      stops[index] = await start(HOSTS[index] as string)
      await until(() => lastBy(HOSTS[index] as string))
    }
    await end()
    expect(failures).toEqual([])
    expect([...served.values()].filter((times) => times.length !== 1)).toEqual([])
    expect(answered.length).toBe(served.size)
  })

  test('an address at which nobody listens fails no call', async () => {
    callBy(way)
    const { start, port } = replicas()
    await start(HOSTS[1])
    const { orders } = named(port(), '127.0.0.9', HOSTS[1])
    const calls = Array.from({ length: 20 }, (_, n) =>
      orders.as(merchant, PATIENT).cancelOrder({ id: String(n), reason: 'x' }),
    )
    await expect(Promise.all(calls)).resolves.toHaveLength(20)
  })

  test('a replica that the name no longer stands for answers what it has, and gets no further calls', async () => {
    callBy(way)
    const { start, served, port } = replicas()
    const release = Promise.withResolvers<void>()
    await start(HOSTS[0], () => release.promise)
    await start(HOSTS[1])
    const { name, orders } = named(port(), HOSTS[0])
    const slow = orders.as(merchant, PATIENT).cancelOrder({ id: 'slow', reason: 'x' })
    await until(() => served.has('slow'))
    name.ips = [HOSTS[1]]
    const lookups = name.lookups
    await until(() => name.lookups > lookups + 2)
    const { answered, end } = load(orders, 1)
    await until(() => answered.length > 20)
    await end()
    const by = answered.flatMap((id) => served.get(id))
    expect(new Set(by)).toEqual(new Set([HOSTS[1]]))
    release.resolve()
    await expect(slow).resolves.toMatchObject({ already_cancelled: false })
  })
})

test('calls go where the name stood for when it is not found any more', async () => {
  callBy('shared')
  const { start, port } = replicas()
  await start(HOSTS[0])
  const { name, orders } = named(port(), HOSTS[0])
  await orders.as(merchant).cancelOrder({ id: 'a', reason: 'x' })
  name.ips = []
  const lookups = name.lookups
  await until(() => name.lookups > lookups + 2)
  await expect(orders.as(merchant).cancelOrder({ id: 'b', reason: 'x' })).resolves.toBeDefined()
})

test('where no replica is connected any more, others are looked for at once, and not at each call', async () => {
  callBy('shared')
  const { start, port } = replicas()
  const stop = await start(HOSTS[0])
  const { name, orders } = looksUpEvery(3_600_000, port(), HOSTS[0])
  const isAnswered = () =>
    orders
      .as(merchant, PATIENT)
      .cancelOrder({ id: 'a', reason: 'x' })
      .then(
        () => true,
        () => false,
      )
  expect(await isAnswered()).toBe(true)
  await stop()
  await start(HOSTS[1])
  name.ips = [HOSTS[1]]
  let failed = 0
  while (!(await isAnswered())) failed += 1
  expect(name.lookups).toBeLessThan(failed + 2)
  expect(name.lookups).toBeLessThan(10)
})

test('a call to a name that was never found is certainly not applied, and the next one looks again', async () => {
  callBy('shared')
  const { start, port } = replicas()
  await start(HOSTS[0])
  const { name, orders } = named(port())
  const call = () => orders.as(merchant).cancelOrder({ id: 'a', reason: 'x' })
  await expect(call()).rejects.toMatchObject({ code: 'service_unavailable', applied: 'no' })
  name.ips = [HOSTS[0]]
  await expect(call()).resolves.toBeDefined()
})

test('a call waits for a slow directory until its deadline, or until nobody wants it', async () => {
  callBy('shared')
  const orders = orderClient('order.test:1', { lookup: () => new Promise(() => {}) })
  closers.push(() => orders.close())
  const call = (options: object) => orders.as(merchant, options).cancelOrder({ id: 'a', reason: 'x' })
  await expect(call({ deadlineMs: 50 })).rejects.toMatchObject({ code: 'service_unavailable', applied: 'no' })
  const outer = new AbortController()
  const inner = call({ within: { deadline: new Date(Date.now() + 60_000), signal: outer.signal } })
  outer.abort()
  await expect(inner).rejects.toMatchObject({ code: 'service_unavailable', applied: 'no' })
})
