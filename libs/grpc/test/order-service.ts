import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import type { Call, CallerSecrets, Handlers } from '@svc/grpc'
import { type Caller, type GrpcClientOptions, grpcClient, grpcServer } from '@svc/grpc'

export const transports = ['unary', 'shared'] as const
let transport: (typeof transports)[number] | undefined

/** By which way clients made from now on call. */
export function callBy(way: (typeof transports)[number]): void {
  transport = way
}

export type OrderHandlers = Handlers<typeof OrderServiceService>

export const SECRET = 'the secret of gateway and order, long enough'
export const merchant: Caller = {
  kind: 'merchant',
  merchantId: '0197a5b0-0000-7000-8000-000000000001',
  isTest: true,
  scopes: ['orders:read', 'orders:write'],
  actor: { type: 'merchant_key', id: 'key-1' },
  credential: 'key:key-1',
  standing: { billingStatus: 'active', kybStatus: 'verified', businessApprovalStatus: 'approved' },
  requestId: 'req-ünïcode-1',
}

/** A handler per rpc of the order service: those of `own`, and for the others one that fails. */
export function orderHandlers(own: Partial<OrderHandlers>): OrderHandlers {
  const names = Object.keys(OrderServiceService) as (keyof OrderHandlers)[]
  const absent = async (_request: unknown, _call: Call): Promise<never> => {
    throw new Error('no such handler in this test')
  }
  return { ...Object.fromEntries(names.map((name) => [name, absent])), ...own } as OrderHandlers
}

/** A started server and a client of it; `stop` closes both. */
export async function startOrderService(
  own: Partial<OrderHandlers>,
  options: { host?: string; port?: number; secrets?: CallerSecrets; reflection?: boolean; drainLimitMs?: number } = {},
) {
  const server = grpcServer({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    audience: 'order',
    secrets: options.secrets ?? { gateway: [SECRET] },
    services: [[OrderServiceService, orderHandlers(own)]],
    reflection: options.reflection,
    drainLimitMs: options.drainLimitMs,
  })
  await server.start?.()
  const orders = orderClient(server.address())
  return {
    server,
    orders,
    address: server.address(),
    stop: async () => {
      orders.close()
      await server.stop?.()
    },
  }
}

export const orderClient = (address: string, more: Partial<GrpcClientOptions> = {}) =>
  grpcClient(OrderServiceService, { address, from: 'gateway', to: 'order', secret: SECRET, transport, ...more })
