import { BlockList, isIP } from 'node:net'

/** Networks that are private, local, reserved or translate to such; nothing in them may receive a webhook. */
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

// One list per family: a mixed one would match every IPv4 address against ::ffff:0:0/96.
const blockedV4 = listOf(BLOCKED_V4, 'ipv4')
const blockedV6 = listOf(BLOCKED_V6, 'ipv6')
const globalUnicastV6 = listOf(['2000::/3'], 'ipv6')

/** Says whether an IP address is not of the public internet; anything that is no plain address counts as blocked. */
export function isBlockedAddress(address: string): boolean {
  // A zone (fe80::1%eth0) exists for link-local addresses only.
  if (address.includes('%')) return true
  switch (isIP(address)) {
    case 4:
      return blockedV4.check(address, 'ipv4')
    case 6:
      return blockedV6.check(address, 'ipv6') || !globalUnicastV6.check(address, 'ipv6')
    default:
      return true
  }
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
