import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import { ERRORS, ServiceError } from '@svc/errors'
import { metrics } from '@svc/telemetry'
import { type ClientAddress, networksOf } from '../http/client-address.ts'
import { errorBody } from '../http/errors.ts'
import { openExchange, send } from '../http/exchange.ts'

const RETRY_AFTER_SECONDS = 30

export const refusedSockets = metrics.counter('realtime_sockets_refused', 'Sockets beyond a bound, by what was full')

interface Bounds {
  addressOf: ClientAddress
  maxPerAddress: number
  /** How many it serves as things are: none once it is about to stop. */
  room: () => number
}

interface Connection {
  request: IncomingMessage
  once(event: 'close', listener: () => void): unknown
  prependListener(event: 'data', listener: (message: unknown) => void): unknown
  close(discard: boolean): void
}

/** What engine.io is to us. */
interface Engine {
  use(middleware: (request: IncomingMessage, response: unknown, next: () => void) => void): void
  on(event: 'connection', listener: (connection: Connection) => void): unknown
}

/**
 * Bounds the connections that this process serves, per address and all together, whether they have shown a token or not.
 * A handshake beyond that is 429 or 503 and costs nothing more.
 */
export function boundConnections(engine: Engine, { addressOf, maxPerAddress, room }: Bounds): void {
  const perNetwork = new Map<string, number>()
  let open = 0
  const count = (network: string) => perNetwork.get(network) ?? 0

  function fullFor(request: IncomingMessage): 'address' | 'process' | undefined {
    const isCrowded = networksOf(addressOf(request)).some(
      ({ network, times }) => count(network) >= maxPerAddress * times,
    )
    if (isCrowded) return 'address'
    return open >= room() ? 'process' : undefined
  }

  engine.use((request, response, next) => {
    const sid = new URL(request.url ?? '', 'http://gateway').searchParams.get('sid')
    const full = sid ? undefined : fullFor(request)
    if (full) refuse(request, response, full)
    else next()
  })
  engine.on('connection', (connection) => {
    // Handshakes of one moment were all let through by the count before them.
    const full = fullFor(connection.request)
    if (full) {
      refusedSockets.add(1, { full })
      connection.close(true)
      return
    }
    const networks = networksOf(addressOf(connection.request))
    open++
    for (const { network } of networks) perNetwork.set(network, count(network) + 1)
    connection.once('close', () => {
      open--
      for (const { network } of networks) {
        if (count(network) > 1) perNetwork.set(network, count(network) - 1)
        else perNetwork.delete(network)
      }
    })
  })
}

/** How the packet begins with which a client of socket.io asks to be let in. */
const CONNECT = '0'

/**
 * Ends a connection that asks to be let in twice, or sends bytes: a client has one token and nothing else to say. Each
 * further question would be judged and kept beside the first, and each that is pending would join.
 */
export function hearOneConnect(engine: Engine): void {
  engine.on('connection', (connection) => {
    let hasAsked = false
    // Before socket.io hears of it.
    connection.prependListener('data', (message) => {
      const asks = typeof message === 'string' && message.startsWith(CONNECT)
      if (typeof message !== 'string' || (asks && hasAsked)) connection.close(true)
      hasAsked ||= asks
    })
  })
}

function refuse(request: IncomingMessage, response: unknown, full: 'address' | 'process'): void {
  refusedSockets.add(1, { full })
  const code = full === 'address' ? 'rate_limited' : 'service_unavailable'
  const error = new ServiceError(code, { details: { full } })
  if (response instanceof ServerResponse) {
    // Not by sendError: of a server that is full each refusal would be a line in the log.
    const body = JSON.stringify(errorBody(error, openExchange(request, response)))
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS)
    send(response, ERRORS[code].http, 'application/json', body)
  } else refuseUpgrade(request, error)
}

/** An upgrade has no response yet: its socket is told in the words of HTTP. */
function refuseUpgrade({ socket }: IncomingMessage, error: ServiceError): void {
  const { http } = ERRORS[error.code]
  const body = JSON.stringify(errorBody(error, crypto.randomUUID()))
  const head = [
    `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
    `Retry-After: ${RETRY_AFTER_SECONDS}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.once('error', () => {})
  // Nobody reads from it: without this it would stay half open.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
