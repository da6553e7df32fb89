import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { orderBody } from '../journeys/merchant.ts'

export interface Load {
  url: string
  connections: number
  /** How long, or how many calls. */
  seconds?: number
  calls?: number
  /** One Authorization header per call, in turn. */
  tokens: readonly string[]
  /** What every order holds; one without coordinates, and thus without a price, unless given. */
  order?: ReturnType<typeof orderBody>
}

export interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  accepted: number
  refused: number
}

let turn = 0

/** Order creations in a closed loop from `connections` clients; every body is new, every client takes the next token. */
export async function loadOrders({
  url,
  connections,
  seconds = 1,
  calls,
  tokens,
  order = orderBody(),
}: Load): Promise<Measured> {
  const template = JSON.stringify({ ...order, external_order_id: '@' })
  const [before, after] = template.split('@') as [string, string]
  const result = await autocannon({
    url,
    connections,
    ...(calls === undefined ? { duration: seconds } : { amount: calls }),
    requests: [
      {
        method: 'POST',
        path: '/v1/orders',
        setupRequest: (request) => ({
          ...request,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${tokens[turn++ % tokens.length]}`,
          },
          body: `${before}${randomUUID()}${after}`,
        }),
      },
    ],
  })
  return {
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    accepted: result['2xx'],
    refused: result.non2xx + result.errors,
  }
}
