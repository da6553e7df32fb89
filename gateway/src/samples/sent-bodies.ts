import type { Caller } from '@svc/grpc'
import * as z from 'zod'
import { configSchema } from '../config.ts'
import { publicBody } from '../http/public-body.ts'
import type { Route } from '../http/route.ts'
import { SERVICES, type Services } from '../services.ts'
import { replies } from './replies.ts'
import { addressOf, bodies } from './requests.ts'

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

/** Services that answer with the samples. */
const services: Services = new Proxy({} as Services, {
  get: (_target, service) =>
    service === 'within'
      ? () => services
      : new Proxy({}, { get: (_client, rpc) => async () => replies[rpc as keyof typeof replies] }),
})

/** What the route sends for its sample, by operation and status. */
export async function sentBody(route: Route): Promise<[name: string, body: unknown]> {
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
    file: Buffer.from('recipient_name,recipient_phone,dropoff_address\nAda,08031234567,2 Broad Street\n'),
    config,
  }
  const { status, body } = await route.handle(input, services)
  return [`${route.operationId} ${status}`, publicBody(route, status, body)]
}
