import type { IncomingMessage } from 'node:http'
import { expect, test } from '@jest/globals'
import { clientAddress, networksOf } from './client-address.ts'

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test('without trusted proxies a client cannot choose the address that is counted', () => {
  const address = clientAddress([])
  expect(address(from('127.0.0.9', '203.0.113.1'))).toBe('127.0.0.9')
  expect(address(from('::ffff:127.0.0.9'))).toBe('127.0.0.9')
})

test('with trusted proxies the last address that none of them is counts', () => {
  const address = clientAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])
  expect(address(from('10.1.1.1', '1.1.1.1, 203.0.113.1, 10.9.9.9'))).toBe('203.0.113.1')
  expect(address(from('2001:db8::5', '203.0.113.1'))).toBe('203.0.113.1')
  expect(address(from('192.0.2.2', '203.0.113.1'))).toBe('192.0.2.2')
  expect(address(from('10.1.1.1', 'nonsense'))).toBe('10.1.1.1')
  expect(address(from('10.1.1.1'))).toBe('10.1.1.1')
})

test('an address has one spelling, however it came: canonical, without zone, IPv4 where it is mapped', () => {
  const address = clientAddress(['127.0.0.1'])
  const spelt = (forwarded: string) => address(from('::ffff:127.0.0.1', forwarded))
  for (const one of ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1', '2001:db8::0001%eth0'])
    expect(spelt(one)).toBe('2001:db8::1')
  for (const one of ['::FFFF:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7'])
    expect(spelt(one)).toBe('203.0.113.7')
})

test('an IPv6 address is counted by its /64, and by its /48 at ten times the limit; IPv4 by itself', () => {
  const networks = (address: string) => networksOf(address).map(({ network, times }) => `${network} ${times}`)
  expect(networks('203.0.113.7')).toEqual(['203.0.113.7 1'])
  expect(networks('2001:db8:1:2:3:4:5:6')).toEqual(['2001:db8:1:2::/64 1', '2001:db8:1::/48 10'])
  expect(networks('2001:db8:1:2::6')).toEqual(networks('2001:db8:1:2:3:4:5:6'))
  expect(networks('2001:db8::2:0:0:1')).toEqual(['2001:db8:0:0::/64 1', '2001:db8:0::/48 10'])
  expect(networks('::1')).toEqual(['0:0:0:0::/64 1', '0:0:0::/48 10'])
  expect(networks('::1.2.3.4')).toEqual(networks('::1'))
})
