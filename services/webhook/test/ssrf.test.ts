import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { NO_NETWORKS, networksOf } from '@svc/inputs'
import type { Resolve } from '@svc/outbound'
import { createOutboundHttp } from '../src/peers/outbound-http.ts'
import { postWebhook } from '../src/peers/post-webhook.ts'

/** Listens where a request that slipped through would land; it must never be called. */
let canaries: Server[] = []
let connections = 0

const listen = (host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket: Socket) => {
      connections += 1
      socket.destroy()
    })
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })

beforeAll(async () => {
  const bound = await Promise.allSettled([
    listen('127.0.0.1', 443),
    listen('127.0.0.1', 8443),
    listen('::1', 443),
    listen('::1', 8443),
  ])
  canaries = bound.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
})
afterAll(async () => {
  await Promise.all(canaries.map((canary) => new Promise((resolve) => canary.close(resolve))))
})

async function attempt(url: string, resolve: Resolve = async () => ['127.0.0.1'], allowLocal = false) {
  const http = createOutboundHttp({ allowLocal, refused: NO_NETWORKS, resolve })
  try {
    return await postWebhook(http, { url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') })
  } finally {
    await http.close()
  }
}

describe('server-side request forgery', () => {
  test('the canaries hear who calls them', async () => {
    expect(canaries.length).toBeGreaterThan(0)
  })

  test.each([
    'https://127.0.0.1:8443/',
    'https://127.1:8443/',
    'https://2130706433:8443/',
    'https://0x7f000001:8443/',
    'https://0177.0.0.1:8443/',
    'https://0:8443/',
    'https://localhost:8443/',
    'https://localhost.:8443/',
    'https://x.localhost:8443/',
    'https://[::1]:8443/',
    'https://[::ffff:127.0.0.1]:8443/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://user@127.0.0.1:8443/',
    'https://127.0.0.1:8443#@example.com/',
    'http://127.0.0.1:8443/',
    'https://169.254.169.254/latest/meta-data/',
    'https://①②⑦.⓪.⓪.①:8443/',
  ])('%s is refused by its text', async (url) => {
    for (const allowLocal of [false, url.startsWith('https')]) {
      expect(await attempt(url, undefined, allowLocal)).toMatchObject({
        statusCode: null,
        error: expect.stringMatching(/^refused: /),
      })
    }
  })

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['0.0.0.0'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['64:ff9b::7f00:1'],
    ['fe80::1%lo'],
    ['fd00::1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:4700::1111', '::1'],
    ['not an address'],
  ])('a public name that resolves to %s is refused before anything connects', async (...addresses) => {
    expect(await attempt('https://hooks.example.com:8443/', async () => addresses)).toMatchObject({
      statusCode: null,
      error: 'refused: hooks.example.com is not a public address',
    })
  })

  test('a public address that the operator refuses is never connected, by name or in a URL', async () => {
    const refused = networksOf(['93.184.216.0/24'])
    const http = createOutboundHttp({ allowLocal: false, refused, resolve: async () => ['93.184.216.34'] })
    const post = (url: string) => postWebhook(http, { url, headers: {}, body: Buffer.from('{}') })
    try {
      const byName = await post('https://hooks.example.com/')
      expect(byName.error).toBe('refused: hooks.example.com is not a public address')
      expect((await post('https://93.184.216.34/')).error).toMatch(/^refused: /)
    } finally {
      await http.close()
    }
  })

  test('a name is resolved and judged anew for every connection', async () => {
    const answers = [[], ['127.0.0.1'], ['10.0.0.1']]
    const http = createOutboundHttp({
      allowLocal: false,
      refused: NO_NETWORKS,
      resolve: async () => answers.shift() ?? ['::1'],
    })
    const request = { url: 'https://rebind.example.com:8443/', headers: {}, body: Buffer.from('{}') }
    try {
      const errors: unknown[] = []
      for (let round = 0; round < 4; round++) errors.push((await postWebhook(http, request)).error)
      const refused = 'refused: rebind.example.com is not a public address'
      expect(errors).toEqual(['connection failed: ENOTFOUND', refused, refused, refused])
    } finally {
      await http.close()
    }
  })

  test('a name that does not exist is a failed attempt, not a refusal', async () => {
    expect((await attempt('https://hooks.example.com/', async () => [])).error).toBe('connection failed: ENOTFOUND')
  })

  test('proxies of the environment are not used', async () => {
    const before = { ...process.env }
    Object.assign(process.env, {
      HTTPS_PROXY: 'http://127.0.0.1:8443',
      NODE_USE_ENV_PROXY: '1',
      ALL_PROXY: 'http://127.0.0.1:443',
    })
    try {
      await attempt('https://hooks.example.com/', async () => [])
    } finally {
      process.env = before
    }
  })

  test('none of all this made a single connection to a canary', () => {
    expect(connections).toBe(0)
  })
})
