import { describe, expect, test } from '@jest/globals'
import { isBlockedAddress, NO_NETWORKS, networksOf } from '@svc/inputs'
import { judgeWebhookUrl } from './webhook-url.ts'

const isBlocked = (address: string) => isBlockedAddress(address, NO_NETWORKS)
const admitted = (url: string, allowLocal = false) =>
  !('refused' in judgeWebhookUrl(url, { allowLocal, refused: NO_NETWORKS }))

describe('webhook URLs', () => {
  test.each([
    'https://example.com/hook',
    'https://example.com:443/hook',
    'https://example.com:8443/hook?a=b',
    'https://1.1.1.1/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://hooks.xn--bcher-kva.example/x',
  ])('admits the public %s', (url) => {
    expect(admitted(url)).toBe(true)
    expect(admitted(url, true)).toBe(true)
  })

  test.each([
    'http://example.com/hook',
    'ftp://example.com/',
    'javascript:alert(1)',
    'example.com/hook',
    '',
    'https://',
    'https://localhost/x',
    'https://LOCALHOST/x',
    'https://sub.localhost/x',
    'https://localhost./x',
    'https://metadata.google.internal/x',
    'https://example.com./x',
    'https://intranet/x',
    'https://printer.local/x',
    'https://user:pass@example.com/x',
    'https://user@example.com/x',
    'https://@example.com/x',
    'https://example.com:22/x',
    'https://example.com:80/x',
    'https://example.com:8080/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://0x7f000001/x',
    'https://0x7f.0.0.1/x',
    'https://0177.0.0.1/x',
    'https://017700000001/x',
    'https://①②⑦.⓪.⓪.①/x',
    'https://127.0.0.1./x',
    'https://0/x',
    'https://0.0.0.0/x',
    'https://10.1.2.3/x',
    'https://100.64.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://172.16.0.1/x',
    'https://192.168.1.1/x',
    'https://198.18.0.1/x',
    'https://224.0.0.1/x',
    'https://255.255.255.255/x',
    'https://[::1]/x',
    'https://[::]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::ffff:7f00:1]/x',
    'https://[0:0:0:0:0:ffff:a00:1]/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://[2002:7f00:1::]/x',
    'https://[fe80::1]/x',
    'https://[fc00::1]/x',
    'https://[fec0::1]/x',
    'https://[ff02::1]/x',
    'https://[2001:db8::1]/x',
    'https://exa mple.com/x',
    'https://example.com\\@127.0.0.1/x',
    'https://example.com/\n',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('refuses %p, also where local receivers are admitted', (url) => {
    expect(admitted(url)).toBe(false)
    expect(admitted(url, true)).toBe(false)
  })

  test.each(['http://127.0.0.1:9000/x', 'http://localhost:9000', 'http://127.0.0.1', 'http://localhost/x?y'])(
    'admits the local %s only where the operator says so',
    (url) => {
      expect(admitted(url, true)).toBe(true)
      expect(admitted(url)).toBe(false)
    },
  )

  test.each([
    'http://127.1:9000/x',
    'http://0x7f.0.0.1:9000/x',
    'http://2130706433:9000/',
    'http://127.0.0.2:9000/',
    'http://[::1]:9000/',
    'http://localhost.:9000/',
    'http://LOCALHOST:9000/',
    'http://user@127.0.0.1:9000/',
    'http://127.0.0.1:9000@example.com/',
    'http://127.0.0.1.example.com:9000/',
    'HTTP://127.0.0.1:9000/',
    'http:127.0.0.1:9000/',
    'http://0.0.0.0:9000/',
    'https://127.0.0.1:8443/',
  ])('refuses every other spelling of loopback: %s', (url) => {
    expect(admitted(url, true)).toBe(false)
  })

  test('an address with a zone, or text that is no address, counts as blocked', () => {
    expect(['fe80::1%eth0', '2606:4700::1%1', 'example.com', '', '1.2.3'].every(isBlocked)).toBe(true)
    expect(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'].some(isBlocked)).toBe(false)
  })
})

test('networks that the operator refuses are blocked too, in URLs as well; what is no network is no list', () => {
  const refused = networksOf(['168.63.129.16/32', '2606:4700::/32'])
  expect(['168.63.129.16', '2606:4700::1111'].every((address) => isBlockedAddress(address, refused))).toBe(true)
  expect(['168.63.129.17', '2606:4701::1'].some((address) => isBlockedAddress(address, refused))).toBe(false)
  const judged = judgeWebhookUrl('https://168.63.129.16/', { allowLocal: false, refused })
  expect(judged).toEqual({ refused: 'public_address' })
  for (const wrong of ['168.63.129.16', '10.0.0.0/33', 'example.com/8', '::/129']) {
    expect(() => networksOf([wrong])).toThrow(wrong)
  }
})
