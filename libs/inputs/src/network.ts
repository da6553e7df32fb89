import { isIP } from 'node:net'

/** The network that one customer of a provider moves in: of an IPv4 address the /24, of an IPv6 address the /64. */
export function networkOf(address: string): string | undefined {
  switch (isIP(address)) {
    case 4:
      return `${address.split('.').slice(0, 3).join('.')}.0/24`
    case 6:
      return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`
    default:
      return undefined
  }
}

/** The groups of an IPv6 address in canonical form, as which the gateway tells it: as many as a /64 has at least. */
export function ipv6Groups(address: string): string[] {
  const [head = [], tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  return tail ? [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail] : head
}
