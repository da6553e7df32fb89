import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'
import { ipv6Groups } from '@svc/inputs'

export type ClientAddress = (request: IncomingMessage) => string

/**
 * The address of the client, in canonical form: the socket's, or the last one in X-Forwarded-For that is no trusted proxy when the
 * socket is one. With no proxy configured nothing that a client writes changes it.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '')
    if (trustedProxies.length === 0) return address
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
    while (isTrusted(address)) {
      const next = plain(forwarded.pop()?.trim() ?? '')
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}

/** A network of an address, and how many times the limit of one client it has. */
interface Network {
  network: string
  times: number
}

const WIDER_TIMES = 10

/**
 * What the limits of an address count. An IPv4 address is one client. Whoever has one IPv6 address has its whole /64, and
 * often a /48 with 65,536 of these: the /64 is counted as one client, the /48 more loosely.
 */
export function networksOf(address: string): readonly Network[] {
  if (isIP(address) !== 6) return [{ network: address, times: 1 }]
  const groups = ipv6Groups(address)
  return [
    { network: `${groups.slice(0, 4).join(':')}::/64`, times: 1 },
    { network: `${groups.slice(0, 3).join(':')}::/48`, times: WIDER_TIMES },
  ]
}

/** One spelling of an address, without its zone, and as IPv4 where it is that in the clothes of IPv6. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return canonical.startsWith('::ffff:') && isIP(canonical.slice(7)) === 4 ? canonical.slice(7) : canonical
}
