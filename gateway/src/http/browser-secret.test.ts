import { expect, test } from '@jest/globals'
import { browserSecret } from './browser-secret.ts'

test('a secret is kept by one host over TLS, out of the reach of scripts and of other sites', () => {
  const kept = browserSecret('sign-on', { publicBaseUrl: 'https://api.example' })
  expect(kept.set('s', 600)).toEqual({
    'Set-Cookie': '__Host-sign-on=s; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure',
  })
  expect(kept.clear()['Set-Cookie']).toContain('__Host-sign-on=; Max-Age=0;')
  expect(browserSecret('sign-on', { publicBaseUrl: undefined }).set('s', 1)['Set-Cookie']).toMatch(/^__Host-.*Secure$/)
})

test('over http it is a plain cookie, as browsers keep no other there', () => {
  const kept = browserSecret('sign-on', { publicBaseUrl: 'http://127.0.0.1:8080' })
  expect(kept.set('s', 600)['Set-Cookie']).toBe('sign-on=s; Max-Age=600; Path=/; HttpOnly; SameSite=Lax')
  expect(kept.read('a=b; sign-on=s')).toBe('s')
})

test.each([
  [undefined, ''],
  ['', ''],
  ['other=1; __Host-sign-on=s; more=2', 's'],
  ['__Host-sign-on=a=b', 'a=b'],
  // One that a neighbouring host could have written.
  ['sign-on=s', ''],
  ['__Host-sign-on=one; __Host-sign-on=two', ''],
  ['x__Host-sign-on=s', ''],
])('of %j it reads %j', (cookies, secret) => {
  expect(browserSecret('sign-on', { publicBaseUrl: undefined }).read(cookies)).toBe(secret)
})
