import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { eventually } from '@svc/testing'
import { replies } from '../src/samples/replies.ts'
import { call } from './call.ts'
import { effectsOf, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
})
beforeEach(() => {
  upstream.asked.length = 0
  upstream.answers.clear()
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const PATH = '/v1/admin/audit-logs/export'
const entry = replies.exportAuditLogs.logs[0]!
const pieces = () => effectsOf(upstream).filter((rpc) => rpc === 'exportAuditLogs').length

/** Each piece is one entry of that size; the last is number 1. */
function answerPieces({ bytes, of }: { bytes: number; of: number }): void {
  const after_json = JSON.stringify({ filling: 'x'.repeat(bytes) })
  upstream.answers.set('exportAuditLogs', async ({ from_seq: asked }) => {
    const seq = (asked as number | undefined) ?? of
    return { logs: [{ ...entry, seq, after_json }], next_seq: seq > 1 ? seq - 1 : undefined, is_truncated: false }
  })
}

async function opened(limit: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { authorization: `Bearer ${await vault.operator()}` }
  get(`${running.url}${PATH}?limit=${limit}`, { headers }, resolve).on('error', reject)
  return promise
}

test('an export is one JSON object per line, of all pieces, with every digit', async () => {
  upstream.answers.set('exportAuditLogs', async ({ from_seq: seq }) =>
    seq === undefined
      ? { logs: [entry, entry], next_seq: 5, is_truncated: true }
      : { logs: [{ ...entry, seq, before_json: undefined }], is_truncated: false },
  )
  const response = await opened(10)
  const text = (await response.toArray()).join('')
  expect([response.statusCode, response.headers['content-type'], response.headers['x-truncated']]).toEqual([
    200,
    'application/x-ndjson',
    'true',
  ])
  expect(text.endsWith('\n')).toBe(true)
  const rows = text.trimEnd().split('\n')
  expect(rows.map((row) => JSON.parse(row).seq)).toEqual([entry.seq, entry.seq, 5])
  expect(rows[0]).toContain('"after":{"amount":12345678901234567890}')
  expect(JSON.parse(rows[2]!)).toMatchObject({ before: null })
  const limits = upstream.asked.filter(({ rpc }) => rpc === 'exportAuditLogs').map(({ request }) => request['limit'])
  expect(limits).toEqual([10, 8])
})

test('an export goes no faster than its reader: what has not left is not asked for', async () => {
  // Far more than sockets hold.
  const [bytes, of] = [1_000_000, 80]
  answerPieces({ bytes, of })
  const response = await opened(5_000)
  response.pause()
  // Until neither the socket nor we take more: nothing is asked for over many other requests.
  await eventually(async () => {
    const before = pieces()
    for (let n = 0; n < 20; n++) await call(running.url, 'GET', '/health')
    return before > 0 && before === pieces()
  })
  expect(pieces()).toBeLessThan(of - 20)
  let length = 0
  for await (const chunk of response) length += (chunk as Buffer).length
  expect([pieces(), length > bytes * of]).toEqual([of, true])
})

test('a reader that goes away ends the export', async () => {
  answerPieces({ bytes: 1_000_000, of: 5_000 })
  const response = await opened(5_000)
  response.once('data', () => response.destroy())
  response.on('error', () => undefined)
  await eventually(async () => {
    const before = pieces()
    for (let n = 0; n < 20; n++) await call(running.url, 'GET', '/health')
    return response.destroyed && before === pieces()
  })
  expect(pieces()).toBeLessThan(1_000)
})

test('a failure before the first entry is an error like any other, one after it breaks the body off', async () => {
  const token = await vault.operator()
  upstream.answers.set('exportAuditLogs', new ServiceError('service_unavailable'))
  const refused = await call(running.url, 'GET', PATH, { token })
  expect([refused.status, refused.body.error]).toEqual([503, 'service_unavailable'])

  upstream.answers.set('exportAuditLogs', async ({ from_seq }) => {
    if (from_seq !== undefined) throw new ServiceError('service_unavailable')
    return { logs: [entry], next_seq: 5, is_truncated: false }
  })
  const broken = await opened(10)
  expect(broken.statusCode).toBe(200)
  await expect(broken.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' })
})
