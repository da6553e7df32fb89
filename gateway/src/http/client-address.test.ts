import type { IncomingMessage } from 'node:http'
import { expect, test } from '@jest/globals'
import { clientAddress } from './client-address.ts'

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
