import { expect, test } from '@jest/globals'
import { networkOf } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:1:2:3', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['nowhere', undefined],
  ['', undefined],
])('%s moves in %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
