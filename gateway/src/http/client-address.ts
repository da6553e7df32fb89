import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type ClientAddress = (request: IncomingMessage) => string

/**
 * The address that limits count: the socket's, or the last one in X-Forwarded-For that is no trusted proxy when the
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

const plain = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address)
