import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mesh } from '@svc/testing'
import { Api, answered, orderBody, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { approve, mintKeys } from './keys.ts'
import { percentile, platform, rounded, table } from './report.ts'

/**
 * A shipment of 5,000 orders by JSON and by CSV: how long its draft, its submit and the beginning of its orders take, and what
 * the orders of other merchants wait for meanwhile, next to what they wait for before and after, in one run; and how long
 * a COPY of the same orders takes, into a table with the same indexes.
 *
 *   node --conditions=source tests/bench/shipments.ts [rows] [clients] [quiet seconds] [rounds]
 */
const rows = Number(process.argv[2] ?? 5_000)
const clients = Number(process.argv[3] ?? 4)
const quietSeconds = Number(process.argv[4] ?? 20)
const rounds = Number(process.argv[5] ?? 2)
const MOMENT_MS = 200
const psql = promisify(execFile)

const system = await mesh({ ownServers: true, spans: false })
try {
  const tokens = await mintKeys(system, 100, { isTest: false })
  const shipper = await signUp(system.baseUrl)
  await approve(system, shipper)
  await openCheapRates()
  const key = answered(201, await shipper.owner.post('/v1/me/api-keys', { label: 'shipper', is_test: false }))
  const api = new Api(system.baseUrl).bearing(key.body.api_key)
  await topUp(system, shipper.owner, 10_000_000)

  const clientsOfOthers = tokens.map((token) => new Api(system.baseUrl).bearing(token))
  let turn = 0
  /** How long each creation of the others takes until then, in milliseconds. */
  async function others(isOver: () => boolean): Promise<number[]> {
    const took: number[] = []
    const one = async () => {
      while (!isOver()) {
        const startedAt = performance.now()
        answered(201, await clientsOfOthers[turn++ % clientsOfOthers.length]!.post('/v1/orders', orderBody()))
        took.push(performance.now() - startedAt)
      }
    }
    await Promise.all(Array.from({ length: clients }, one))
    return took
  }
  const quiet = (seconds: number) => {
    const until = performance.now() + seconds * 1_000
    return others(() => performance.now() > until)
  }
  /** Drafts, submits and waits until each order has begun; answers when each of the three was done. */
  async function ship(draft: () => Promise<string>): Promise<number[]> {
    const startedAt = performance.now()
    const since = () => performance.now() - startedAt
    const id = await draft()
    const drafted = since()
    answered(200, await api.post(`/v1/shipments/${id}/submit`))
    const submitted = since()
    for (;;) {
      const { body } = answered(200, await api.get(`/v1/shipments/${id}`))
      if (body.shipment.counts.draft === 0) return [drafted, submitted - drafted, since() - submitted]
      await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
    }
  }

  await quiet(quietSeconds)
  const lines: Array<Array<string | number>> = []
  for (let round = 1; round <= rounds; round++) {
    for (const [way, draft] of [
      ['JSON', byJson],
      ['CSV', byCsv],
    ] as const) {
      const before = await quiet(quietSeconds)
      let isOver = false
      const during = others(() => isOver)
      const times = await ship(() => draft(api)).finally(() => {
        isOver = true
      })
      const busy = await during
      const [quietP99, busyP99] = [percentile(before, 0.99), percentile(busy, 0.99)]
      const seconds = times.map((ms) => rounded(ms / 1_000, 1))
      lines.push([
        way,
        round,
        ...seconds,
        rounded(quietP99),
        rounded(busyP99),
        rounded(busyP99 / quietP99, 2),
        busy.length,
        rounded(await copySeconds(), 2),
      ])
    }
  }
  console.log(platform())
  console.log(
    table(
      [
        'way',
        'round',
        'draft s',
        'submit s',
        'begin s',
        'others’ p99 ms, quiet',
        'meanwhile',
        'ratio',
        'their orders meanwhile',
        'COPY s',
      ],
      lines,
    ),
  )
} finally {
  await system.stop()
}

async function byJson(api: Api): Promise<string> {
  const orders = Array.from({ length: rows }, () => ({
    recipient_name: 'Ada Obi',
    recipient_phone: '08031234567',
    dropoff_address: '22 Broad Street, Lagos',
  }))
  const drafted = await api.post('/v1/shipments/bulk-json', { pickup: { address: '1 Marina Road, Lagos' }, orders })
  return answered(201, drafted).body.shipment_id
}

async function byCsv(api: Api): Promise<string> {
  const line = 'Ada Obi,08031234567,"22 Broad Street, Lagos"\n'
  const csv = `recipient_name,recipient_phone,dropoff_address\n${line.repeat(rows)}`
  const form = new FormData()
  form.set('file', new Blob([csv]), 'orders.csv')
  form.set('pickup', JSON.stringify({ address: '1 Marina Road, Lagos' }))
  const sent = new Request(api.baseUrl, { method: 'POST', body: form })
  const type = sent.headers.get('content-type') ?? ''
  const body = new Uint8Array(await sent.arrayBuffer())
  const drafted = await api.send('POST', '/v1/shipments/upload-csv', body, { 'content-type': type })
  return answered(201, drafted).body.shipment_id
}

/** How long as many orders of shipments take by COPY, from a file, into a table with the same indexes. */
async function copySeconds(): Promise<number> {
  const { inspect = '', owner = '' } = system.databaseUrls['order'] ?? {}
  const file = join(system.folder, 'orders.copy')
  const asked = (url: string, ...commands: string[]) =>
    psql('psql', [url, '-qAt', '-v', 'ON_ERROR_STOP=1', ...commands.flatMap((command) => ['-c', command])])
  await asked(
    inspect,
    `\\copy (SELECT * FROM orders WHERE shipment_id IS NOT NULL ORDER BY id LIMIT ${rows}) TO '${file}'`,
  )
  const table = 'CREATE TEMP TABLE copied (LIKE orders INCLUDING ALL)'
  const { stdout } = await asked(owner, table, '\\timing on', `\\copy copied FROM '${file}'`)
  return Number(/Time: ([\d.]+) ms/.exec(stdout)?.[1]) / 1_000
}

/** So that little money goes far. */
async function openCheapRates(): Promise<void> {
  const anyone = new Api(system.baseUrl)
  const { body } = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  const card = { name: 'Cheap', currency: 'NGN', base_minor: 100, per_km_minor: 0, minimum_minor: 100, vat_percent: 0 }
  answered(201, await anyone.bearing(body.access_token).post('/v1/admin/rate-cards', card))
}
