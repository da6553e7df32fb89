import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DeliveryDispatch, type DispatchOptions } from '@delivery-dispatch/sdk'

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (response: ServerResponse, seen: Seen) => void

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Answer =>
  json(status, { error, message: `${error}.`, request_id: 'r-1' }, headers)

/** The request was read, and nothing is ever said of it. */
export const reset: Answer = (response) => response.destroy()
/** Half an answer. */
export const cutShort: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"order_', () => response.destroy())
}
export const silence: Answer = () => {}

/** A server that gives these answers in turn, the last one for ever, and what it was asked. */
export async function answering(answers: Answer[], options: Partial<DispatchOptions> = {}) {
  const seen: Seen[] = []
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString()
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    const answer = answers[Math.min(seen.push(one), answers.length) - 1]
    answer?.(response, one)
  }
  await once(server, 'listening')
  const dispatch = new DeliveryDispatch({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    credential: 'svc_test_key',
    ...options,
  })
  return {
    dispatch,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
