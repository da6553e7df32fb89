import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentTraceparent } from '@svc/telemetry'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Names the request, and puts on its response what every response bears. Returns the request's id. */
export function openExchange(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  for (const name in SECURITY_HEADERS) response.setHeader(name, SECURITY_HEADERS[name] as string)
  response.setHeader('X-Request-Id', requestId)
  response.setHeader('traceparent', traceparentOf(request))
  return requestId
}

// Without tracing the client's own trace is passed back, or one is begun in name only.
function traceparentOf({ headers }: IncomingMessage): string {
  const active = currentTraceparent()
  if (active) return active
  const given = headers['traceparent']
  if (typeof given === 'string' && TRACEPARENT.test(given)) return given
  // Node keeps random bytes for UUIDs in stock: a third of the cost of asking for them each time.
  return `00-${randomHex()}-${randomHex().slice(16)}-00`
}

const randomHex = () => randomUUID().replaceAll('-', '')

/** Sends text as the whole body. */
export function send(response: ServerResponse, status: number, contentType: string, body: string | Buffer): void {
  response.statusCode = status
  response.setHeader('Content-Type', contentType)
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}
