import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type ShipmentRow, ShipmentRows } from '@svc/contracts/order/v1/shipment_service'
import { cpuMsOf } from '@svc/testing/cpu-ms-of'
import { bodies, form } from '../src/samples/requests.ts'
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
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const PATH = '/v1/shipments/upload-csv'
const HEADER = 'recipient_name,recipient_phone,dropoff_address'
const ROW = 'Ada,08031234567,"2 Broad Street, Lagos"'

const upload = (csv: string | Uint8Array, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  call(running.url, 'POST', PATH, { token: vault.key(), body: form(csv, fields), headers })

/** The rows that reached the service, part after part. */
const stagedRows = (): ShipmentRow[] =>
  upstream.asked
    .filter(({ rpc }) => rpc === 'stageShipmentRows')
    .flatMap(({ request }) => ShipmentRows.decode((request as unknown as { rows: Buffer }).rows).rows)

const asked = (rpc: string) =>
  upstream.asked.find((one) => one.rpc === rpc)?.request as Record<string, never> | undefined

describe('a file', () => {
  const address = '2 Broad Street, Lagos'
  const read = { recipient_name: 'Ada', recipient_phone: '08031234567', dropoff_address: address }

  test.each<[what: string, csv: string, rows: object[]]>([
    ['is read with LF', `${HEADER}\n${ROW}\n`, [read]],
    ['is read with CRLF, and without a last line end', `${HEADER}\r\n${ROW}\r\n${ROW}`, [read, read]],
    ['is read with a byte order mark', `\ufeff${HEADER}\n${ROW}\n`, [read]],
    [
      'may have its columns in any order',
      `dropoff_address,recipient_phone,recipient_name\n"${address}",08031234567,Ada\n`,
      [read],
    ],
    [
      'may have quotes, commas and line ends in its cells',
      `${HEADER}\n"Ada ""the baker""",0803,"2 Broad Street,\nLagos"\n`,
      [{ recipient_name: 'Ada "the baker"', recipient_phone: '0803', dropoff_address: '2 Broad Street,\nLagos' }],
    ],
    [
      'is text, whatever its cells begin with',
      `${HEADER}\n=cmd|' /C calc'!A0,+234,@SUM(A1)\n`,
      [{ recipient_name: "=cmd|' /C calc'!A0", recipient_phone: '+234', dropoff_address: '@SUM(A1)' }],
    ],
    [
      'may be of any language',
      `${HEADER}\nỌlá 😀,0803,Èkó\n`,
      [{ recipient_name: 'Ọlá 😀', recipient_phone: '0803', dropoff_address: 'Èkó' }],
    ],
    [
      'names each row with too many or too few columns',
      `${HEADER}\nAda,0803\n${ROW}\nAda,0803,x,y\n`,
      [
        { unreadable: 'The row has 2 columns, the header 3.' },
        read,
        { unreadable: 'The row has 4 columns, the header 3.' },
      ],
    ],
    ['may have empty lines', `${HEADER}\n\n${ROW}\n\n`, [read]],
  ])('%s', async (_what, csv, rows) => {
    const answer = await upload(csv)
    expect([answer.status, answer.body.rows_failed]).toEqual([201, 1])
    expect(stagedRows()).toEqual(rows.map((row) => expect.objectContaining(row)))
  })

  test.each<[what: string, csv: string | Uint8Array, rule: string, words: RegExp]>([
    ['that is empty', '', 'header', /lacks "recipient_name"/],
    ['without a required column', `recipient_name,recipient_phone\n${ROW}\n`, 'header', /lacks "dropoff_address"/],
    ['with an unknown column', `${HEADER},colour\n${ROW},red\n`, 'header', /unknown columns: "colour"/],
    ['with a column twice', `${HEADER},recipient_name\n${ROW},x\n`, 'header', /"recipient_name" twice/],
    ['with a quote that is never closed', `${HEADER}\n${ROW}\n"Ada,0803,x\n`, 'csv', /^Row 2 /],
    ['with a quote inside a cell', `${HEADER}\n${ROW}\n${ROW}\nA"da,0803,x\n`, 'csv', /^Row 3 /],
    ['with a NUL character', `${HEADER}\n${ROW}\nA\0da,0803,x\n`, 'nul_character', /^Row 2 /],
    [
      'in Latin-1',
      Buffer.concat([Buffer.from(`${HEADER}\n${ROW}\n`), Buffer.from('Ren\u00e9,0803,x\n', 'latin1')]),
      'invalid_utf8',
      /^Row 2 /,
    ],
    [
      'in Latin-1 in a row with too many columns',
      Buffer.concat([Buffer.from(`${HEADER}\n${ROW}\n`), Buffer.from('Ada,0803,x,y,Ren\u00e9,z\n', 'latin1')]),
      'invalid_utf8',
      /^Row 2 /,
    ],
    [
      'with a NUL character in a header with too many columns',
      `${HEADER},a,b\0,c\n${ROW}\n`,
      'nul_character',
      /^The header /,
    ],
    ['in UTF-16', Buffer.from(`\ufeff${HEADER}\nAda,0803,x\n`, 'utf16le'), 'invalid_utf8', /^The header /],
    ['of 5,001 rows', `${HEADER}\n${`${ROW}\n`.repeat(5_001)}`, 'max', /5000 rows/],
  ])('%s is 400 saying where, and no shipment is made', async (_what, csv, rule, words) => {
    const answer = await upload(csv)
    expect([answer.status, answer.body.error, answer.body.details.field, answer.body.details.rule]).toEqual([
      400,
      'validation_error',
      'file',
      rule,
    ])
    expect(answer.body.message).toMatch(words)
    expect(asked('uploadShipment')).toBeUndefined()
  })

  test('whose header names a column tens of thousands of times is refused in a few words', async () => {
    const answer = await upload(`${HEADER}${',recipient_name'.repeat(50_000)}\n${ROW}\n`)
    expect([answer.status, answer.body.details.rule]).toEqual([400, 'header'])
    expect(answer.body.message).toBe('The header names "recipient_name" twice.')
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000)
    expect(asked('uploadShipment')).toBeUndefined()
  })

  test('of millions of columns is judged in the time that its size takes', async () => {
    // A second look at each column for each would be the better part of a minute.
    const MOST_CPU_MS = 5_000
    const judged = async (csv: string) => {
      let answer!: Awaited<ReturnType<typeof upload>>
      const cpuMs = await cpuMsOf(async () => {
        answer = await upload(csv)
      })
      expect(cpuMs).toBeLessThan(MOST_CPU_MS)
      return [answer.status, answer.body.details?.rule, answer.body.message]
    }
    const twice = 'The header names "dropoff_lat", "dropoff_lng" twice.'
    const repeated = ',dropoff_lat'.repeat(100_000) + ',dropoff_lng'.repeat(100_000)
    expect(await judged(`${HEADER}${repeated}\n${ROW}\n`)).toEqual([400, 'header', twice])
    const commas = ','.repeat(2_000_000)
    const unknown = 'The header has unknown columns: "".'
    expect(await judged(`${HEADER}${commas}\n${ROW}\n`)).toEqual([400, 'header', unknown])
    expect(asked('uploadShipment')).toBeUndefined()
    upstream.asked.length = 0
    expect(await judged(`${HEADER}\n${commas}\n${ROW}\n`)).toEqual([201, undefined, undefined])
    expect(stagedRows()).toMatchObject([{ unreadable: 'The row has 2000001 columns, the header 3.' }, read])
  })

  test('of 5,000 rows reaches the service in parts, one after the other, whole', async () => {
    const csv = Array.from({ length: 5_000 }, (_, nth) => `R${nth},0803,Street ${nth}\n`).join('')
    expect((await upload(`${HEADER}\n${csv}`)).status).toBe(201)
    expect(stagedRows().map(({ recipient_name }) => recipient_name)).toEqual(
      Array.from({ length: 5_000 }, (_, nth) => `R${nth}`),
    )
    expect(asked('uploadShipment')).toMatchObject({ shipment: { parts: 20 } })
  })

  test('with a cell of a megabyte reaches the service as a row that is too long, and no message is too large', async () => {
    const long = `Ada,0803,${'x'.repeat(1_000_000)}\n`
    expect((await upload(`${HEADER}\n${long.repeat(4)}`)).status).toBe(201)
    expect(stagedRows().map(({ dropoff_address }) => dropoff_address?.length)).toEqual(Array(4).fill(4_000))
  })

  test('beyond 5 MiB is 413', async () => {
    const answer = await upload(Buffer.alloc(5 * 1024 * 1024 + 1, 'x'))
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large'])
    expect(effectsOf(upstream)).toEqual([])
  })
})

describe('a form', () => {
  const csv = `${HEADER}\n${ROW}\n`

  test('has a pickup and times beside its file', async () => {
    const pickup = JSON.stringify({ address: '1 Marina Road', lat: 6.45, lng: 3.39 })
    const at = '2099-01-01T10:00:00Z'
    expect((await upload(csv, { pickup, scheduled_pickup_at: at })).status).toBe(201)
    expect(asked('uploadShipment')).toMatchObject({
      shipment: { pickup: { address: '1 Marina Road', point: { lat: 6.45, lng: 3.39 } }, scheduled_pickup_at: at },
    })
  })

  test.each<[what: string, change: (data: FormData) => void, field: string, rule: string]>([
    ['without its file', (data) => data.delete('file'), 'file', 'required'],
    ['with its file twice', (data) => data.append('file', new Blob([csv]), 'b.csv'), 'file', 'duplicate'],
    ['with another file', (data) => data.append('photo', new Blob([csv]), 'b.csv'), 'photo', 'unknown_field'],
    ['with text for its file', (data) => data.set('file', csv), 'file', 'type'],
    ['with a field twice', (data) => ['1', '2'].forEach((text) => data.append('pickup', text)), 'pickup', 'duplicate'],
    ['with a pickup that is no JSON', (data) => data.append('pickup', '{"address":'), 'pickup', 'json'],
    ['with a pickup that is no object', (data) => data.append('pickup', '[]'), 'pickup', 'type'],
    [
      'with half a point',
      (data) => data.append('pickup', '{"address":"1 Road","lat":6}'),
      'pickup.lng',
      'required_together',
    ],
    [
      'with a NUL in a field',
      (data) => data.append('scheduled_pickup_at', 'a\0'),
      'scheduled_pickup_at',
      'nul_character',
    ],
  ])('%s is 400 naming it', async (_what, change, field, rule) => {
    const body = form(csv)
    change(body)
    const answer = await call(running.url, 'POST', PATH, { token: vault.key(), body })
    expect([answer.status, answer.body.details?.field, answer.body.details?.rule]).toEqual([400, field, rule])
    expect(effectsOf(upstream)).toEqual([])
  })

  test('is what the body must be', async () => {
    const json = await call(running.url, 'POST', PATH, { token: vault.key(), body: {} })
    expect([json.status, json.body.error]).toEqual([415, 'unsupported_media_type'])
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    for (const body of ['--x\r\n', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc']) {
      const cut = await call(running.url, 'POST', PATH, { token: vault.key(), body, headers })
      expect([cut.status, cut.body.details?.reason ?? cut.body.details?.rule]).toEqual([
        400,
        expect.stringMatching(/malformed_multipart|required/),
      ])
    }
  })

  test('is the same request whatever parts it, and another with another file', async () => {
    const hash = async (text: string) => {
      upstream.asked.length = 0
      expect((await upload(text, {}, { 'Idempotency-Key': 'k' })).status).toBe(201)
      const { idempotency } = asked('uploadShipment') as unknown as { idempotency: { request_hash: Buffer } }
      return Buffer.from(idempotency.request_hash).toString('hex')
    }
    expect(await hash(csv)).toBe(await hash(csv))
    expect(await hash(csv)).not.toBe(await hash(`${csv}${ROW}\n`))
  })
})

describe('a bulk body', () => {
  test('has up to 5,000 orders and 8 MiB, which reach the service in parts', async () => {
    const token = vault.key()
    const order = { recipient_name: 'Ada', recipient_phone: '08031234567', dropoff_address: 'x'.repeat(500), note: 'n' }
    const body = { ...bodies['createShipment'], orders: Array(5_000).fill(order) }
    expect((await call(running.url, 'POST', '/v1/shipments/bulk-json', { token, body })).status).toBe(201)
    expect(stagedRows()).toHaveLength(5_000)
    const more = { ...body, orders: [...body.orders, order] }
    const answer = await call(running.url, 'POST', '/v1/shipments/bulk-json', { token, body: more })
    expect([answer.status, answer.body.details.field, answer.body.details.rule]).toEqual([400, 'orders', 'max'])
    const large = { ...body, pad: 'x'.repeat(8 * 1024 * 1024) }
    expect((await call(running.url, 'POST', '/v1/shipments/bulk-json', { token, body: large })).status).toBe(413)
  })
})
