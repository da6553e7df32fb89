import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { callBy, merchant, orderClient, startOrderService } from './order-service.ts'

const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

callBy('shared')

/** A way to a server that can be frozen: connections stay and are taken, and nothing goes through them any more. */
async function freezable(address: string) {
  const [host, port] = address.split(':') as [string, string]
  const sockets = new Set<Socket>()
  let isFrozen = false
  const proxy = createServer((near) => {
    const far = connect(Number(port), host)
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    const pass = (from: Socket, to: Socket) => from.on('data', (bytes) => !isFrozen && to.write(bytes))
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return {
    address: `127.0.0.1:${(proxy.address() as { port: number }).port}`,
    freeze: () => {
      isFrozen = true
    },
  }
}

/** Repeats a call until it is answered. */
async function answered(call: () => Promise<unknown>): Promise<void> {
  while (
    !(await call().then(
      () => true,
      () => false,
    ))
  );
}

test('of two replicas one may freeze: calls reach the other well before half a minute has passed', async () => {
  const served: string[] = []
  const replica = async (name: string) => {
    const service = await startOrderService({
      cancelOrder: async () => {
        served.push(name)
        return { order: undefined, already_cancelled: false }
      },
    })
    closers.push(service.stop)
    return service
  }
  const [first, second] = [await replica('first'), await replica('second')]
  const way = await freezable(first.address)
  const orders = orderClient(`ipv4:${way.address},${second.address}`)
  closers.push(() => orders.close())
  const call = () => orders.as(merchant, { deadlineMs: 1_000 }).cancelOrder({ id: 'o-1', reason: 'x' })
  await answered(call)
  expect(served).toEqual(['first'])

  way.freeze()
  const frozenAt = performance.now()
  await answered(call)
  expect(served.at(-1)).toBe('second')
  expect(performance.now() - frozenAt).toBeLessThan(30_000)
})
