// What one call between two processes costs, by transport: both ends in this process, so that its CPU is the whole cost.
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { type Caller, grpcClient, grpcServer } from '@svc/grpc'
import { table } from './report.ts'

// Nothing is measured here but on this machine.
process.env['GRPC_TLS'] = 'off'

const SECRET = 'secret of this benchmark, long enough for a key'
const ROUNDS = 3
const id = '5a4d0b0c-0000-4000-8000-000000000001'
const caller: Caller = {
  kind: 'merchant',
  merchantId: id,
  isTest: true,
  scopes: ['orders:read'],
  actor: { type: 'merchant_key', id },
  requestId: id,
}

const unused = Object.fromEntries(Object.keys(OrderServiceService).map((rpc) => [rpc, async () => ({})]))
const server = grpcServer({
  host: '127.0.0.1',
  port: 0,
  audience: 'order',
  secrets: { gateway: [SECRET] },
  services: [[OrderServiceService, { ...unused, getOrder: async () => ({ order: undefined }) } as never]],
})
await server.start?.()

async function measure(transport: 'unary' | 'shared', callers: number) {
  const orders = grpcClient(OrderServiceService, {
    address: server.address(),
    from: 'gateway',
    to: 'order',
    secret: SECRET,
    transport,
  })
  const calls = callers * 400 + 2_000
  let left = calls
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const one = async (): Promise<void> => {
    while (left-- > 0) await orders.as(caller).getOrder({ id })
  }
  await Promise.all(Array.from({ length: callers }, one))
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1000
  orders.close()
  return { callsPerSecond: calls / seconds, cpuMicroseconds: (user + system) / calls }
}

const rows: string[][] = []
for (const callers of [1, 10, 50]) {
  const best = { unary: Number.POSITIVE_INFINITY, shared: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round++) {
    for (const transport of ['unary', 'shared'] as const) {
      const { cpuMicroseconds } = await measure(transport, callers)
      best[transport] = Math.min(best[transport], cpuMicroseconds)
    }
  }
  const { unary, shared } = best
  rows.push([String(callers), unary.toFixed(0), shared.toFixed(0), (shared / unary).toFixed(2)])
}
await server.stop?.()
console.log(table(['callers', 'unary µs of CPU', 'shared µs of CPU', 'shared / unary'], rows))
