import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { isBlockedAddress } from '../domain/blocked-address.ts'
import { type Admission, judgeWebhookUrl } from '../domain/webhook-url.ts'

const CONNECT_TIMEOUT_MS = 12_000
const MAX_HEADER_BYTES = 16 * 1024

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface OutboundHttpOptions extends Admission {
  /** Tests put a resolver of their own here; it decides nothing, since addresses are judged afterwards. */
  resolve?: Resolve
}

export interface OutboundHttp {
  /** Where requests to this URL go through; throws BlockedAddressError when its text is not admissible. */
  dispatcherOf(url: string): { url: URL; dispatcher: Dispatcher }
  close(): Promise<void>
}

/** The URL, or an address that its name has, is not of the public internet. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
}

/**
 * HTTP to strangers: a connection is made only to an address that was judged public, all addresses of a name must be, and
 * the connected address is judged once more. Nothing is read from proxy variables; certificates are always verified.
 */
export function createOutboundHttp({
  allowLocal,
  refused,
  resolve = resolvePublicName,
}: OutboundHttpOptions): OutboundHttp {
  const strangers = agentFor((address) => !isBlockedAddress(address, refused), resolve)
  const local = agentFor(isLoopback, async () => ['127.0.0.1', '::1'])
  return {
    dispatcherOf(text) {
      const judged = judgeWebhookUrl(text, { allowLocal, refused })
      if ('refused' in judged) throw new BlockedAddressError(`the URL is not admissible (${judged.refused})`)
      return { url: judged.url, dispatcher: judged.local ? local : strangers }
    },
    async close() {
      await Promise.all([strangers.destroy(), local.destroy()])
    },
  }
}

function agentFor(isAllowed: (address: string) => boolean, resolve: Resolve): Agent {
  const connector = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    rejectUnauthorized: true,
    autoSelectFamily: true,
    lookup: guardedLookup(isAllowed, resolve),
  })
  return new Agent({
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: (options, callback) => {
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      // A literal address never reaches the lookup.
      if (isIP(literal) !== 0 && !isAllowed(literal)) return callback(blocked(literal), null)
      connector({ ...options, hostname: literal }, (...[error, socket]) => {
        if (error) return callback(error, null)
        if (isAllowed(remoteAddressOf(socket))) return callback(null, socket)
        socket.destroy()
        return callback(blocked(options.hostname), null)
      })
    },
  })
}

/** Every address must pass, so that a name with one public and one private address is refused as a whole. */
function guardedLookup(isAllowed: (address: string) => boolean, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0)
        if (!addresses.every(isAllowed)) return callback(blocked(hostname), '', 0)
        if (!options.all) return callback(null, first, isIP(first))
        return callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        )
      },
      (error) => callback(error, '', 0),
    )
  }
}

const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })

/** Asks the name servers directly: getaddrinfo would let four slow names block every other one in the process. */
async function resolvePublicName(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [failure] = answers
  if (addresses.length === 0 && failure.status === 'rejected') throw failure.reason
  return addresses
}

const blocked = (hostname: string) => new BlockedAddressError(`${hostname} is not a public address`)
const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1'
const remoteAddressOf = (socket: Socket | null) => socket?.remoteAddress ?? ''
