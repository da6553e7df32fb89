import { expect, test } from '@jest/globals'
import { decodedSecret } from './decoded-secret.ts'

test.each([
  ['nothing to decode, & and ; alone', 'nothing to decode, & and ; alone'],
  ['a&amp;b&lt;c&gt;d&quot;e', 'a&b<c>d"e'],
  ['it&#39;s it&#039;s it&#x27;s it&#X0027;s', "it's it's it's it's"],
  ['&#038;&#x26;&#60;&#062;&#034;', '&&<>"'],
  // Once: what comes of it is no entity any more.
  ['&amp;amp;', '&amp;'],
  // What the storefront leaves as it is.
  ['&apos;&nbsp;&AMP;&#65;&copy;&amp', '&apos;&nbsp;&AMP;&#65;&copy;&amp'],
])('of the secret %s the key is %s', (secret, key) => {
  expect(decodedSecret(secret)).toBe(key)
})
