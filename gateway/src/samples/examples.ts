import { stringify } from '@svc/exact-json'
import { WEBHOOK_SAMPLES } from '@svc/public-bodies'
import type { Examples } from '../http/openapi-examples.ts'
import type { Route } from '../http/route.ts'
import { bodies, CSV } from './requests.ts'
import { sentBody } from './sent-bodies.ts'

/** What the API description shows: of each operation the sample that is sent, and what its route makes of the samples of replies. */
export async function examplesOf(routes: readonly Route[]): Promise<Examples> {
  const taking = routes.filter(({ body }) => body)
  const requests = taking.map(({ operationId, upload }) => [operationId, upload ? { file: CSV } : bodies[operationId]])
  const answering = routes.filter(({ replies }) => Object.keys(replies).length > 0)
  // Of a route with two successes one is that of a repetition.
  const again = answering.filter(({ replies }) => '200' in replies && '201' in replies)
  const sent = [
    ...(await Promise.all(answering.map((route) => sentBody(route)))),
    ...(await Promise.all(again.map((route) => sentBody(route, { idempotent: true })))),
  ]
  const replies = await Promise.all(sent.map(async ([name, body]) => [name, await shown(body)]))
  return { requests: Object.fromEntries(requests), replies: Object.fromEntries(replies), webhooks: WEBHOOK_SAMPLES }
}

/** As a client reads it; of rows the first. */
async function shown(body: unknown): Promise<unknown> {
  if (!isRows(body)) return JSON.parse(stringify(body))
  for await (const row of body) return shown(row)
  throw new Error('a sample of rows has none')
}

const isRows = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body
