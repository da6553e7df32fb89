// One run of rpc.ts, in a process of its own because tracing is decided at its start: both ends are in it, so that its
// CPU is the whole cost of a call. Prints one line of JSON.
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { type Caller, grpcClient, grpcServer } from '@svc/grpc'
import { withRemoteParent } from '@svc/telemetry'

// Nothing is measured here but on this machine.
process.env['GRPC_TLS'] = 'off'

const SECRET = 'secret of this benchmark, long enough for a key'
const [transport, replicas, callers, calls, traced] = process.argv.slice(2)
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
const servers = Array.from({ length: Number(replicas) }, () =>
  grpcServer({
    host: '127.0.0.1',
    port: 0,
    audience: 'order',
    secrets: { gateway: [SECRET] },
    services: [[OrderServiceService, { ...unused, getOrder: async () => ({ order: undefined }) } as never]],
  }),
)
await Promise.all(servers.map(async (server) => server.start?.()))
const orders = grpcClient(OrderServiceService, {
  address: servers.map((server) => server.address()).join(),
  from: 'gateway',
  to: 'order',
  secret: SECRET,
  transport: transport === 'unary' ? 'unary' : 'shared',
})

/** As in a request, which has a trace whether or not it is recorded. */
const traceOf = (call: number) =>
  `00-${String(call).padStart(32, '4')}-00f067aa0ba902b7-0${(call * Number(traced)) % 1 < Number(traced) ? 1 : 0}`

async function make(count: number): Promise<void> {
  let left = count
  const one = async (): Promise<void> => {
    while (left-- > 0) await withRemoteParent(traceOf(left), () => orders.as(caller).getOrder({ id }))
  }
  await Promise.all(Array.from({ length: Number(callers) }, one))
}

await make(Number(calls) / 2)
const before = process.cpuUsage()
await make(Number(calls))
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ cpuMicroseconds: (user + system) / Number(calls) }))
process.exit()
