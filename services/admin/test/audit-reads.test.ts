import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AuditLog } from '@svc/contracts/admin/v1/audit_service'
import { SettledTotals, Totals } from '@svc/database'
import { adminCaller, eventually, explaining, vacuum } from '@svc/testing'
import type { OrmTx } from '@svc/transact'
import { type AuditFilter, listEntries } from '../src/db/read-audit-log.ts'
import { type Admin, patch, refusal, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const reading = () => admin.audit.as(adminCaller({ permissions: ['admin.audit.read'] }))
const operator = () => adminCaller({ permissions: ['admin.audit.export'] })

interface Filled {
  merchantId: string
  rows: number
  /** Of the record of what is, in each. */
  bytes?: number
}

/** Entries of a merchant of the test's own, in the order of their numbers. */
async function fill({ merchantId, rows, bytes = 10 }: Filled): Promise<void> {
  const client = await admin.worker.connect()
  try {
    await client.query('BEGIN')
    // Beside the consumer, which takes the next number under the same lock.
    await client.query('SELECT pg_advisory_xact_lock(7264001)')
    await client.query(
      `INSERT INTO audit_log (seq, event_id, at, actor_type, actor_id, merchant_id, action, resource_type, resource_id,
                              after_json, key_id, previous_hash, hash)
       SELECT last.seq + n, gen_random_uuid(), now(), CASE WHEN n % 2 = 0 THEN 'admin' ELSE 'merchant_key' END, n::text, $1,
              CASE WHEN n % 10 = 0 THEN 'thing.tenth' ELSE 'thing.do' END, 'thing', n::text,
              json_build_object('filling', repeat('x', $3)), 'k1', '', ''
         FROM (SELECT coalesce(max(seq), 0) AS seq FROM audit_log) AS last, generate_series(1, $2::int) AS n`,
      [merchantId, rows, bytes],
    )
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

/** A whole export, piece by piece, with what each piece weighs. */
async function exported(asked: { limit: number; merchant_id?: string; action?: string }, between = async () => {}) {
  const client = admin.audit.as(operator())
  const first = await client.exportAuditLogs(asked)
  const pieces = [first.logs]
  for (let next = first.next_seq, left = asked.limit - first.logs.length; next !== undefined && left > 0; ) {
    await between()
    const piece = await client.exportAuditLogs({ ...asked, limit: left, from_seq: next })
    expect(piece.is_truncated).toBe(false)
    pieces.push(piece.logs)
    next = piece.next_seq
    left -= piece.logs.length
  }
  return { pieces, logs: pieces.flat(), isTruncated: first.is_truncated }
}

const resources = (logs: readonly AuditLog[]) => logs.map(({ resource_id }) => Number(resource_id))
const downFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - i)

describe('the list of audit logs', () => {
  test('has who did what to what, what was and what is, newest first', async () => {
    const { merchantId } = await signUp(admin)
    const acting = { ...adminCaller(), ip: '127.4.5.6' }
    await patch(admin, merchantId, { billing_status: 'past_due' }, acting)
    const asked = { limit: 0, offset: 0, merchant_id: merchantId.toUpperCase() }
    await eventually(async () => (await reading().listAuditLogs(asked)).total === 3)
    const { logs, limit } = await reading().listAuditLogs(asked)
    expect(limit).toBe(50)
    expect(logs.map(({ seq }) => seq)).toEqual(logs.map(({ seq }) => seq).toSorted((a, b) => b - a))
    expect(logs.find(({ action }) => action === 'merchant.update')).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.stringMatching(/Z$/),
      actor_type: 'admin',
      actor_id: acting.actor.id,
      merchant_id: merchantId,
      resource_type: 'merchant',
      resource_id: merchantId,
      ip: '127.4.5.6',
      request_id: acting.requestId,
      before_json: '{"billing_status":"active"}',
      after_json: '{"billing_status":"past_due"}',
    })
  })

  test('keeps to each filter and to all of them together, with the number of those that match', async () => {
    const merchantId = randomUUID()
    await fill({ merchantId, rows: 40 })
    const ask = async (filter: object, page = { limit: 200, offset: 0 }) => {
      const { logs, total } = await reading().listAuditLogs({ ...page, merchant_id: merchantId, ...filter })
      return { total, found: resources(logs) }
    }
    expect(await ask({})).toEqual({ total: 40, found: downFrom(40, 40) })
    expect(await ask({ action: 'thing.tenth' })).toEqual({ total: 4, found: [40, 30, 20, 10] })
    expect(await ask({ actor_type: 'admin' }, { limit: 2, offset: 3 })).toEqual({ total: 20, found: [34, 32] })
    expect(await ask({ action: 'thing.tenth', actor_type: 'merchant_key' })).toEqual({ total: 0, found: [] })
    expect(await ask({ resource_type: 'thing', action: 'thing.do' }, { limit: 1, offset: 35 })).toEqual({
      total: 36,
      found: [1],
    })
    expect(await ask({ resource_type: 'nothing' })).toEqual({ total: 0, found: [] })
    expect(await ask({}, { limit: 1, offset: 1_000_000 })).toEqual({ total: 40, found: [] })
  })

  test('counts the entries of a filter once, and those of another one for themselves', async () => {
    const merchantId = randomUUID()
    const sources = { totals: new Totals(), settledTotals: new SettledTotals() }
    const read: number[] = []
    const ask = (filter: AuditFilter) =>
      admin.service.context.transact('every tenant', async (tx) => {
        async function sql<Row extends object>(text: string, values?: readonly unknown[]) {
          const answer = await tx.sql<Row>(text, values)
          const [row] = answer.rows
          if (row && 'since' in row) read.push(Number(row.since))
          return answer
        }
        return (await listEntries({ ...sources, tx: { ...tx, sql } }, filter, { limit: 1, offset: 0 })).total
      })
    await fill({ merchantId, rows: 40 })
    expect(await ask({ merchant_id: merchantId })).toBe(40)
    await fill({ merchantId, rows: 10 })
    expect(await ask({ merchant_id: merchantId })).toBe(50)
    expect(await ask({ merchant_id: merchantId })).toBe(50)
    expect(await ask({ merchant_id: merchantId, action: 'thing.tenth' })).toBe(5)
    expect(read).toEqual([40, 10, 0, 5])
  })

  test('of what one merchant did reads that, whatever others have done since', async () => {
    const merchantId = randomUUID()
    // More of the entries are the merchant's than have that action: to look among those seems the shorter way.
    await fill({ merchantId, rows: 5_000 })
    await fill({ merchantId: randomUUID(), rows: 30_000 })
    await vacuum(admin.database.ownerUrl, 'audit_log')
    const { query: sql, carriedOut } = explaining(admin.worker)
    const tx = { sql } as unknown as OrmTx
    const filters = [{ action: 'thing.tenth' }, { resource_type: 'thing' }, { actor_type: 'admin' }]
    for (const filter of filters) {
      const sources = { tx, totals: new Totals(), settledTotals: new SettledTotals() }
      const { entries } = await listEntries(sources, { merchant_id: merchantId, ...filter }, { limit: 20, offset: 0 })
      expect(entries).toHaveLength(20)
    }
    expect(carriedOut).toHaveLength(6)
    expect(carriedOut.filter(({ blocks }) => blocks >= 120)).toEqual([])
  })

  test('without a filter has as many entries as the chain, and pages of it without a gap', async () => {
    await fill({ merchantId: randomUUID(), rows: 30 })
    const { logs, total } = await reading().listAuditLogs({ limit: 20, offset: 0 })
    expect(logs[0]?.seq).toBe(total)
    expect(logs.map(({ seq }) => seq)).toEqual(downFrom(total, 20))
    const { rows } = await admin.worker.query('SELECT count(*)::int AS count FROM audit_log')
    expect(rows[0].count).toBeGreaterThanOrEqual(total)
    expect((await reading().listAuditLogs({ limit: 20, offset: 2 ** 31 - 1 })).logs).toEqual([])
  })

  test('fits into a reply whatever its entries hold: what is too long is told by its size', async () => {
    const merchantId = randomUUID()
    await fill({ merchantId, rows: 40, bytes: 1_000_000 })
    const { logs } = await reading().listAuditLogs({ limit: 200, offset: 0, merchant_id: merchantId })
    expect(logs).toHaveLength(40)
    for (const { after_json } of logs) expect(JSON.parse(after_json!)).toEqual({ left_out_bytes: expect.any(Number) })
  })

  test.each([
    [{ limit: 201, offset: 0 }, 'limit'],
    [{ limit: 1, offset: 0, action: 'x'.repeat(65) }, 'action'],
    [{ limit: 1, offset: 0, actor_type: 'x'.repeat(65) }, 'actor_type'],
    [{ limit: 1, offset: 0, merchant_id: 'x' }, 'merchant_id'],
  ])('refuses %j', async (asked, field) => {
    await expect(reading().listAuditLogs(asked)).rejects.toEqual(refusal('validation_error', { field }))
  })
})

describe('an export of the audit log', () => {
  test('has every entry once, newest first, though others are recorded while it is read', async () => {
    const merchantId = randomUUID()
    await fill({ merchantId, rows: 1_200 })
    const asked = { limit: 5_000, merchant_id: merchantId }
    const { logs, pieces, isTruncated } = await exported(asked, () => fill({ merchantId, rows: 3 }))
    // The begin of the export is none of its entries.
    expect(resources(logs)).toEqual(downFrom(1_200, 1_200))
    expect(pieces.length).toBeGreaterThan(2)
    expect(isTruncated).toBe(false)
  })

  test('says that more match than it may give, and gives those that are newest', async () => {
    const merchantId = randomUUID()
    await fill({ merchantId, rows: 700 })
    const cut = await exported({ limit: 650, merchant_id: merchantId })
    expect([resources(cut.logs), cut.isTruncated]).toEqual([downFrom(700, 650), true])
    const tenths = await exported({ limit: 70, merchant_id: merchantId, action: 'thing.tenth' })
    expect([tenths.logs.length, tenths.isTruncated]).toEqual([70, false])
    const none = await exported({ limit: 1, merchant_id: randomUUID() })
    expect([none.logs, none.isTruncated]).toEqual([[], false])
  })

  test('has long entries whole, in pieces of a few megabytes', async () => {
    const merchantId = randomUUID()
    await fill({ merchantId, rows: 10, bytes: 1_000_000 })
    await fill({ merchantId, rows: 1, bytes: 6_000_000 })
    const { logs, pieces } = await exported({ limit: 100, merchant_id: merchantId })
    expect(resources(logs)).toEqual([1, ...downFrom(10, 10)])
    expect(logs.map(({ after_json }) => JSON.parse(after_json!).filling.length)).toEqual([
      6_000_000,
      ...downFrom(10, 10).map(() => 1_000_000),
    ])
    for (const piece of pieces)
      expect(piece.length === 1 || piece.reduce((sum, { after_json }) => sum + after_json!.length, 0) < 2 ** 22).toBe(
        true,
      )
  })

  test('is itself on record: who took what, once however many pieces it had', async () => {
    const merchantId = randomUUID()
    await fill({ merchantId, rows: 600 })
    const caller = operator()
    const first = await admin.audit.as(caller).exportAuditLogs({ limit: 600, merchant_id: merchantId })
    await admin.audit.as(caller).exportAuditLogs({ limit: 100, merchant_id: merchantId, from_seq: first.next_seq })
    await exported({ limit: 10, action: 'thing.tenth' })
    const asked = { limit: 10, offset: 0, merchant_id: merchantId, action: 'audit_log.export' }
    await eventually(async () => (await reading().listAuditLogs(asked)).total > 0)
    const { logs, total } = await reading().listAuditLogs(asked)
    expect(total).toBe(1)
    expect(logs[0]).toMatchObject({ actor_id: caller.actor.id, resource_type: 'audit_log', resource_id: merchantId })
    expect(JSON.parse(logs[0]!.after_json!)).toEqual({ merchant_id: merchantId, limit: 600 })
    await eventually(async () => {
      const { logs: of } = await reading().listAuditLogs({ limit: 10, offset: 0, action: 'audit_log.export' })
      expect(of.find(({ resource_id }) => resource_id === 'all')).toMatchObject({ merchant_id: undefined })
    })
  })
})
