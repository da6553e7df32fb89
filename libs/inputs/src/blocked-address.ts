import { BlockList, isIP } from 'node:net'

/** Networks that are private, local, reserved or translate to such; no call to a stranger goes there. */
const BLOCKED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const BLOCKED_V6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** Networks of both families. */
export interface Networks {
  has(address: string): boolean
}

/** The networks of a list like `168.63.129.16/32`; throws on what is none. */
export function networksOf(list: readonly string[]): Networks {
  // One list per family: a mixed one would match every IPv4 address against ::ffff:0:0/96.
  const [v4, v6] = [new BlockList(), new BlockList()]
  for (const network of list) {
    const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(network) ?? []
    const version = isIP(address)
    if (version === 0 || Number(prefix) > (version === 4 ? 32 : 128)) throw new Error(`${network} is no network`)
    if (version === 4) v4.addSubnet(address, Number(prefix), 'ipv4')
    else v6.addSubnet(address, Number(prefix), 'ipv6')
  }
  return { has: (address) => (isIP(address) === 4 ? v4.check(address, 'ipv4') : v6.check(address, 'ipv6')) }
}

export const NO_NETWORKS: Networks = networksOf([])
const blockedV4 = networksOf(BLOCKED_V4)
const blockedV6 = networksOf(BLOCKED_V6)
const globalUnicastV6 = networksOf(['2000::/3'])

/**
 * Says whether an IP address is not of the public internet, or of a network that the operator refuses; anything that is no
 * plain address counts as blocked.
 */
export function isBlockedAddress(address: string, refused: Networks): boolean {
  // A zone (fe80::1%eth0) exists for link-local addresses only.
  if (address.includes('%')) return true
  switch (isIP(address)) {
    case 4:
      return blockedV4.has(address) || refused.has(address)
    case 6:
      return blockedV6.has(address) || !globalUnicastV6.has(address) || refused.has(address)
    default:
      return true
  }
}
