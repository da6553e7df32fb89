import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SCRIPT_PATH } from '../src/http/docs.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

let upstream: Upstream
let running: Running
beforeAll(async () => {
  upstream = await startUpstream(await createVault())
  running = await startGateway(upstream)
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

interface Fetched {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** The bytes as they are sent: fetch would unpack them. */
function get(path: string, headers: Record<string, string> = {}): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const sent = request(running.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.once('error', reject).end()
  })
}

const accepting = (path: string, encoding: string) => get(path, { 'accept-encoding': encoding })

describe.each([
  [SCRIPT_PATH, 1_400_000],
  ['/openapi.json', 120_000],
])('%s', (path, most) => {
  test('is small by gzip and by brotli, and the same text in each', async () => {
    const [plain, gzipped, br] = await Promise.all([
      get(path),
      accepting(path, 'gzip'),
      accepting(path, 'gzip, deflate, br'),
    ])
    expect([plain, gzipped, br].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    for (const { bytes, headers } of [gzipped, br]) {
      expect(bytes.length).toBeLessThan(most)
      expect(Number(headers['content-length'])).toBe(bytes.length)
    }
    expect(gunzipSync(gzipped.bytes).equals(plain.bytes)).toBe(true)
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
  })

  test('each encoding has a tag of its own, by which whoever has it gets 304, and caches keep them apart', async () => {
    const answers = await Promise.all(['identity', 'gzip', 'br'].map((encoding) => accepting(path, encoding)))
    const tags = answers.map(({ headers }) => headers['etag'] as string)
    expect(new Set(tags).size).toBe(3)
    for (const { headers } of answers) expect(headers['vary']).toBe('Accept-Encoding')
    const [plain, gzipped] = tags as [string, string]
    const asGzip = (known: string) => get(path, { 'accept-encoding': 'gzip', 'if-none-match': known })
    for (const known of [gzipped, `W/${gzipped}`, `"other", ${gzipped}`, '*']) {
      const { status, headers, bytes } = await asGzip(known)
      expect([known, status, bytes.length, headers['etag'], headers['vary']]).toEqual([
        known,
        304,
        0,
        gzipped,
        'Accept-Encoding',
      ])
    }
    expect((await asGzip(plain)).status).toBe(200)
  })

  test.each([
    ['gzip;q=0', undefined],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br; q=0.000, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['GZIP', 'gzip'],
    ['zstd, nonsense;;;q=x,,', undefined],
    ['identity', undefined],
  ])('to who accepts %p comes as %p', async (accepted, encoding) => {
    const { status, headers } = await accepting(path, accepted)
    expect([status, headers['content-encoding']]).toEqual([200, encoding])
  })
})

test('the page asks for the program of the reference by a name of its bytes, which browsers keep for good', async () => {
  const page = (await get('/docs')).bytes.toString()
  expect(page).toContain(`<script src="${SCRIPT_PATH}"></script>`)
  const { headers, bytes } = await get(SCRIPT_PATH)
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(SCRIPT_PATH).toContain(`.${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}.`)
  // What may change under its name is asked for again each time.
  expect((await get('/openapi.json')).headers['cache-control']).toBe('no-cache')
})
