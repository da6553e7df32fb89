import type { Caller } from '@svc/grpc'
import * as z from 'zod'
import { configSchema } from '../config.ts'
import { publicBody } from '../http/public-body.ts'
import type { Route } from '../http/route.ts'
import { SERVICES, type Services } from '../services.ts'
import { replies } from './replies.ts'
import { addressOf, bodies, CSV } from './requests.ts'

const ID = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'

const caller: Caller = {
  kind: 'merchant',
  merchantId: ID,
  isTest: true,
  scopes: [],
  actor: { type: 'merchant_key', id: ID },
  requestId: ID,
}

const addresses = Object.values(SERVICES).map(([process]) => [`${process}GrpcAddress`, 'nowhere'])
const config = configSchema.parse({
  redisUrl: 'nowhere',
  gatewayReplicas: 1,
  publicBaseUrl: 'https://example.com',
  ...Object.fromEntries(addresses),
})

/** Services that answer with the samples, changed by this. */
function servicesThatAnswer(change: object): Services {
  const answer = (rpc: string) => ({ ...replies[rpc as keyof typeof replies], ...change })
  const client = new Proxy({}, { get: (_client, rpc) => async () => answer(rpc as string) })
  const services: Services = new Proxy({} as Services, {
    get: (_target, service) => (service === 'within' ? () => services : client),
  })
  return services
}

/** What the route sends for its sample, by operation and status, where services answer with theirs, changed by this. */
export async function sentBody(route: Route, change: object = {}): Promise<[name: string, body: unknown]> {
  const { searchParams } = new URL(addressOf(route), 'http://gateway')
  const params = Object.fromEntries(
    Object.keys(route.params ?? {}).map((name) => [name, name === 'channel' ? 'payments-a' : ID]),
  )
  const input = {
    params,
    query: z.object(route.query ?? {}).parse(Object.fromEntries(searchParams)),
    headers: { authorization: 'Bearer token' },
    body: route.body?.parse(bodies[route.operationId] ?? {}),
    caller,
    idempotency: undefined,
    raw: { headers: [], body: Buffer.of(), exhausted_signers: [] },
    file: Buffer.from(CSV),
    config,
  }
  const { status, body } = await route.handle(input, servicesThatAnswer(change))
  return [`${route.operationId} ${status}`, publicBody(route, status, body)]
}
