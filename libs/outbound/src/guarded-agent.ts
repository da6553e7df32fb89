import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>

/** An address, or one that a name has, is none that may be called. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
}

interface GuardedAgentOptions extends Omit<Agent.Options, 'connect' | 'allowH2'> {
  connectTimeoutMs: number
  /** Decides nothing, since addresses are judged afterwards. */
  resolve?: Resolve
}

/**
 * Connects to allowed addresses alone: all addresses of a name must be, and the connected address is judged once more.
 * Nothing is read from proxy variables; certificates are always verified.
 */
export function guardedAgent(
  isAllowed: (address: string) => boolean,
  { connectTimeoutMs, resolve = resolvePublicName, ...options }: GuardedAgentOptions,
): Agent {
  const connector = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
    autoSelectFamily: true,
    lookup: guardedLookup(isAllowed, resolve),
  })
  return new Agent({
    ...options,
    allowH2: false,
    connect: (target, callback) => {
      const literal = target.hostname.replace(/^\[|\]$/g, '')
      // A literal address never reaches the lookup.
      if (isIP(literal) !== 0 && !isAllowed(literal)) return callback(blocked(literal), null)
      connector({ ...target, hostname: literal }, (...[error, socket]) => {
        if (error) return callback(error, null)
        if (isAllowed(remoteAddressOf(socket))) return callback(null, socket)
        socket.destroy()
        return callback(blocked(target.hostname), null)
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
export async function resolvePublicName(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [failure] = answers
  if (addresses.length === 0 && failure.status === 'rejected') throw failure.reason
  return addresses
}

const blocked = (hostname: string) => new BlockedAddressError(`${hostname} is not a public address`)
const remoteAddressOf = (socket: Socket | null) => socket?.remoteAddress ?? ''
