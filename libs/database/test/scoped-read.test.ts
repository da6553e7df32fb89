import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Database, foundationSql, openDatabase, SqlMigration, type Tenant, tenantTableSql } from '@svc/database'
import { renderMetrics } from '@svc/telemetry'
import { eventually, type TestDatabase, testDatabase } from '@svc/testing'
import pg from 'pg'

class Parcels extends SqlMigration {
  up() {
    this.addSql(foundationSql)
    this.addSql(`CREATE TABLE parcel (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, weight bigint, note text, tags text[],
      created_at timestamptz NOT NULL DEFAULT app_now())`)
    this.addSql(tenantTableSql({ service: 'readtest', table: 'parcel' }))
  }
}
const migrations = [{ name: '202611010000-parcels', class: Parcels }]

const ours: Tenant = { merchantId: randomUUID(), isTest: null }
const theirs: Tenant = { merchantId: randomUUID(), isTest: null }
const EVERY_PARCEL = 'SELECT merchant_id FROM parcel ORDER BY id'

let dev: TestDatabase
let db: Database
beforeAll(async () => {
  dev = await testDatabase('readtest', migrations)
  db = await open(dev.url)
  for (const { merchantId } of [ours, theirs])
    await db.worker.query('INSERT INTO parcel (id, merchant_id, weight) VALUES ($1, $2, 5000)', [
      randomUUID(),
      merchantId,
    ])
})
afterAll(async () => {
  await db?.close()
  await dev?.drop()
})

/** With one connection to each role: whatever one read leaves behind the next one meets. */
const open = (url: string) => openDatabase({ name: 'readtest', url, workerUrl: dev.workerUrl, migrations, poolSize: 1 })

const ownersOf = (rows: object[] | undefined) => (rows as Array<{ merchant_id: string }>).map((row) => row.merchant_id)
const read = async (scope: Parameters<Database['read']>[0], text: string, params: unknown[] = [], on = db) =>
  (await on.read(scope, [{ text, params }]))[0]!
const seenBy = async (scope: Parameters<Database['read']>[0], on = db) =>
  ownersOf(await read(scope, EVERY_PARCEL, [], on))

describe('a read', () => {
  test('shows each tenant its own rows, whoever read through the connection before', async () => {
    for (let turn = 0; turn < 8; turn++) {
      expect(await seenBy(ours)).toEqual([ours.merchantId])
      expect(await seenBy(theirs)).toEqual([theirs.merchantId])
    }
    const turns = Array.from({ length: 50 }, (_, turn) => (turn % 3 === 0 ? ours : theirs))
    expect(await Promise.all(turns.map((scope) => seenBy(scope)))).toEqual(turns.map(({ merchantId }) => [merchantId]))
  })

  test('of every tenant sees all rows, and the tenants after it their own', async () => {
    expect((await seenBy('every tenant')).toSorted()).toEqual([ours.merchantId, theirs.merchantId].toSorted())
    expect(await seenBy(ours)).toEqual([ours.merchantId])
  })

  test('leaves no tenant behind: a statement that names none fails on the same connection', async () => {
    await seenBy(ours)
    await expect(db.app.query(EVERY_PARCEL)).rejects.toThrow(/app\.tenant_id|type uuid/)
  })

  test('cannot name another tenant than its scope for the statement after it', async () => {
    const stolen = `SELECT set_config('app.tenant_id', '${theirs.merchantId}', true)`
    // Even one that lets its caller write the statement itself: the next read is its own transaction.
    await db.read(ours, [{ text: stolen }])
    expect(await seenBy(ours)).toEqual([ours.merchantId])
  })

  test('without a tenant is refused', async () => {
    for (const merchantId of ['', 'nobody', null as unknown as string])
      await expect(seenBy({ merchantId, isTest: null })).rejects.toThrow(/app\.tenant_id|type uuid/)
  })

  test('cannot write, and what comes after it can', async () => {
    const text = `INSERT INTO parcel (id, merchant_id) VALUES ('${randomUUID()}', '${ours.merchantId}') RETURNING id`
    await expect(read(ours, text)).rejects.toMatchObject({ code: '25006' })
    await expect(read('every tenant', text)).rejects.toMatchObject({ code: '25006' })
    const update = await db.worker.query('UPDATE parcel SET note = $2 WHERE merchant_id = $1', [ours.merchantId, 'x'])
    expect(update.rowCount).toBe(1)
  })

  test('that fails fails alone: nothing of it is prepared wrongly, and the connection serves the next tenant', async () => {
    const text = 'SELECT merchant_id, 1 / $1::int AS share FROM parcel ORDER BY id'
    for (let turn = 0; turn < 3; turn++) {
      await expect(read(ours, text, [0])).rejects.toMatchObject({ code: '22012' })
      await expect(read(ours, 'SELECT nothing FROM parcel')).rejects.toMatchObject({ code: '42703' })
      expect(ownersOf(await read(theirs, text, [1]))).toEqual([theirs.merchantId])
    }
    expect(db.app.totalCount).toBe(1)
  })

  test('of several statements answers the rows of each, or fails as a whole', async () => {
    const [mine, count] = await db.read(ours, [
      { text: EVERY_PARCEL },
      { text: 'SELECT count(*)::int AS n FROM parcel WHERE weight > $1', params: [1] },
    ])
    expect([ownersOf(mine), count]).toEqual([[ours.merchantId], [{ n: 1 }]])
    await expect(db.read(ours, [{ text: EVERY_PARCEL }, { text: 'SELECT 1 / 0' }])).rejects.toMatchObject({
      code: '22012',
    })
  })

  test('takes and gives values as other statements do', async () => {
    const at = new Date('2026-11-23T10:00:00.123Z')
    const values = [9_007_199_254_740_991, null, true, at, ['a"b\\c', 'NULL', null, ''], Buffer.from([0, 255]), 'ü\n']
    const text = `SELECT $1::bigint AS a, $2::text AS b, $3::boolean AS c, $4::timestamptz AS d, $5::text[] AS e,
                         $6::bytea AS f, $7::text AS g, '{"x": 1}'::jsonb AS h`
    const plain = (await db.app.query(text, values)).rows
    for (let turn = 0; turn < 3; turn++) expect(await read(ours, text, values)).toEqual(plain)
    await expect(read(ours, text, [{ not: 'a value' }])).rejects.toThrow(TypeError)
    await expect(read(ours, `SELECT '9223372036854775807'::bigint AS n`)).rejects.toThrow(RangeError)
    expect(await seenBy(theirs)).toEqual([theirs.merchantId])
  })

  test('is planned as its statements ask, the most careful one deciding, for that transaction alone', async () => {
    const text = `SELECT current_setting('plan_cache_mode') AS mode, current_setting('enable_seqscan') AS seqscan`
    const modeOf = async (...planned: Array<'each time' | 'once' | undefined>) => {
      const [rows] = await db.read(
        ours,
        planned.map((each) => ({ text, planned: each })),
      )
      return Object.values(rows![0]!).join(' ')
    }
    expect(await modeOf('each time')).toBe('force_custom_plan on')
    expect(await modeOf('once', 'once')).toBe('force_generic_plan off')
    expect(await modeOf('once', 'each time')).toBe('force_custom_plan on')
    expect(await modeOf('once', undefined)).toBe('auto on')
    expect(await modeOf(undefined)).toBe('auto on')
  })

  test('goes on after its table has changed, or the server has forgotten its statement', async () => {
    expect(await seenBy(ours)).toEqual([ours.merchantId])
    expect(await read(ours, 'SELECT * FROM parcel')).toHaveLength(1)
    const owner = new pg.Client({ connectionString: dev.ownerUrl })
    await owner.connect()
    await owner.query('ALTER TABLE parcel ADD COLUMN extra int; CREATE INDEX parcel_of ON parcel (merchant_id)')
    await owner.end()
    expect(await seenBy(ours)).toEqual([ours.merchantId])
    expect(await read(ours, 'SELECT * FROM parcel')).toEqual([expect.objectContaining({ extra: null })])
    await db.app.query('DEALLOCATE ALL')
    expect(await seenBy(theirs)).toEqual([theirs.merchantId])
  })

  test('keeps the last 500 statements of its connection prepared, of however many', async () => {
    const one = await open(dev.url)
    const texts = Array.from({ length: 1_200 }, (_, nth) => `SELECT ${nth} AS nth`)
    const readAll = async (from: number, to: number) =>
      (
        await one.read(
          ours,
          texts.slice(from, to).map((text) => ({ text })),
        )
      ).flat()
    const kept = async () =>
      (await one.app.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')).rows.map(
        ({ statement }) => statement,
      )
    try {
      for (let from = 0; from < texts.length; from += 100)
        expect(await readAll(from, from + 100)).toEqual(
          texts.slice(from, from + 100).map((_, nth) => ({ nth: from + nth })),
        )
      await seenBy(ours, one)
      expect(await kept()).toEqual(expect.arrayContaining(texts.slice(-490)))
      expect((await kept()).length).toBeLessThan(510)
      // Those that were parsed and then failed are no more than those that ran.
      for (let from = 0; from < 1_200; from += 100) {
        const failing = [
          ...texts.slice(from, from + 99).map((text) => ({ text: `${text}, 0` })),
          { text: 'SELECT 1 / 0' },
        ]
        await expect(one.read(ours, failing)).rejects.toMatchObject({ code: '22012' })
      }
      expect(await readAll(0, 1)).toEqual([{ nth: 0 }])
      expect((await kept()).length).toBeLessThan(510)
    } finally {
      await one.close()
    }
  })
})

describe('short reads of one moment', () => {
  const OWN = 'SELECT merchant_id, now()::text AS begun FROM parcel WHERE merchant_id = $1'
  const byKey = async (scope: Tenant, key: string, text = OWN) =>
    (await db.readFew(scope, [{ text, params: [key] }]))[0]!
  const turns = Array.from({ length: 20 }, (_, turn) => (turn % 3 === 0 ? ours : theirs))

  test('share their transactions, and each sees what its own tenant may see', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const found = await Promise.all(turns.map((scope) => byKey(scope, scope.merchantId)))
      expect(found.map(ownersOf)).toEqual(turns.map(({ merchantId }) => [merchantId]))
      expect(new Set(found.flat().map(({ begun }) => begun)).size).toBe(3)
      const others = await Promise.all(turns.map((scope) => byKey(scope, (scope === ours ? theirs : ours).merchantId)))
      expect(others).toEqual(turns.map(() => []))
    }
  })

  test('fail alone, and leave no tenant to those beside them', async () => {
    const found = await Promise.allSettled([
      byKey(ours, ours.merchantId),
      byKey(theirs, 'no key'),
      byKey({ merchantId: '', isTest: null }, theirs.merchantId),
      byKey(theirs, theirs.merchantId),
      byKey(ours, { not: 'a value' } as unknown as string),
      byKey(ours, ours.merchantId, `UPDATE parcel SET note = 'x' WHERE merchant_id = $1 RETURNING merchant_id`),
      byKey(ours, ours.merchantId),
    ])
    const seen = found.map((each) => (each.status === 'fulfilled' ? ownersOf(each.value) : each.reason.code))
    expect(seen).toEqual([
      [ours.merchantId],
      '22P02',
      '22P02',
      [theirs.merchantId],
      undefined,
      '25006',
      [ours.merchantId],
    ])
    await expect(db.app.query(EVERY_PARCEL)).rejects.toThrow(/app\.tenant_id|type uuid/)
  })

  test('of every tenant see all rows', async () => {
    const text = 'SELECT merchant_id FROM parcel WHERE merchant_id = ANY ($1::uuid[])'
    const both = [ours.merchantId, theirs.merchantId]
    const reads = [1, 2].map(() => db.readFew('every tenant', [{ text, params: [both] }]))
    for (const [rows] of await Promise.all(reads)) expect(ownersOf(rows).toSorted()).toEqual(both.toSorted())
  })
})

describe('a connection that breaks in the middle of a read', () => {
  /** Between us and the server: passes so many bytes of what the server says, and no more. */
  let proxy: Server
  let allowance = Number.POSITIVE_INFINITY
  let broken: 'held' | 'ended' = 'held'
  const held: Array<() => void> = []
  let behind: Database
  beforeAll(async () => {
    const target = new URL(dev.url)
    proxy = createServer((client) => {
      const upstream = connect(Number(target.port || 5432), target.hostname)
      client.pipe(upstream)
      for (const socket of [client, upstream]) socket.on('error', () => undefined)
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.destroy())
      upstream.on('data', (bytes) => {
        const passed = bytes.subarray(0, Math.max(0, allowance))
        allowance -= passed.length
        client.write(passed)
        if (passed.length === bytes.length) return
        if (broken === 'ended') client.destroy()
        else held.push(() => client.write(bytes.subarray(passed.length)))
      })
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(dev.url)
    url.hostname = '127.0.0.1'
    url.port = String((proxy.address() as AddressInfo).port)
    behind = await open(url.href)
  })
  afterAll(async () => {
    await behind?.close()
    proxy?.close()
  })

  test('fails the read, at whichever byte, and shows the next tenant its own rows', async () => {
    for (let passed = 0; passed < 260; passed += 13) {
      expect(await seenBy(ours, behind)).toEqual([ours.merchantId])
      ;[allowance, broken] = [passed, 'ended']
      const answer = await seenBy(ours, behind).catch((error: Error) => error)
      allowance = Number.POSITIVE_INFINITY
      if (!(answer instanceof Error)) expect(answer).toEqual([ours.merchantId])
      await eventually(async () => expect(await seenBy(theirs, behind)).toEqual([theirs.merchantId]))
    }
  })

  test('that stands still and goes on answers each tenant what it asked', async () => {
    for (let passed = 0; passed < 260; passed += 26) {
      ;[allowance, broken] = [passed, 'held']
      const first = seenBy(ours, behind)
      const second = seenBy(theirs, behind)
      if (passed < 60) await eventually(() => expect(held.length).toBeGreaterThan(0))
      allowance = Number.POSITIVE_INFINITY
      for (const goOn of held.splice(0)) goOn()
      expect([await first, await second]).toEqual([[ours.merchantId], [theirs.merchantId]])
      for (const goOn of held.splice(0)) goOn()
    }
  })
})

test('callers that wait for a connection of a pool are shown', async () => {
  const small = await open(dev.url)
  const held = await small.app.connect()
  const waiting = small.app.query('SELECT 1')
  try {
    expect(await renderMetrics()).toMatch(/^pg_pool_waiting{database="readtest",pool="app"} 1$/m)
  } finally {
    held.release()
    await waiting
    await small.close()
  }
})
