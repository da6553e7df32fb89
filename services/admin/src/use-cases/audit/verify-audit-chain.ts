import type { Database } from '@svc/database'
import { type AuditEntry, CHAIN_START, chainHash } from '../../domain/audit-entry.ts'

type AuditRow = Omit<AuditEntry, 'at'> & { seq: number; at: Date; previous_hash: Buffer; hash: Buffer }

export interface ChainVerdict {
  intact: boolean
  /** Entries that were checked and found right. */
  entries: number
  /** Hash of the last right entry, to compare with a head that was written down elsewhere. */
  head: string
  /** Where the chain breaks. */
  brokenAtSeq?: number
}

const BATCH = 1_000

/** Computes the chain again from its start: any entry changed, removed or moved within it shows. */
export async function verifyAuditChain(database: Pick<Database, 'worker'>): Promise<ChainVerdict> {
  let head: Buffer = CHAIN_START
  let entries = 0
  for (;;) {
    const rows = await readRows(database, entries)
    for (const { seq, at, previous_hash, hash, ...rest } of rows) {
      const expected = chainHash(head, seq, { ...rest, at: at.toISOString() })
      if (seq !== entries + 1 || !previous_hash.equals(head) || !hash.equals(expected))
        return { intact: false, entries, head: head.toString('hex'), brokenAtSeq: seq }
      head = hash
      entries = seq
    }
    if (rows.length < BATCH) return { intact: true, entries, head: head.toString('hex') }
  }
}

async function readRows(database: Pick<Database, 'worker'>, afterSeq: number): Promise<AuditRow[]> {
  const { rows } = await database.worker.query<AuditRow>(
    `SELECT seq, event_id, at, actor_type, actor_id, on_behalf_of, merchant_id, action, resource_type, resource_id, ip,
            request_id, trace_id, before_json::text AS before_json, after_json::text AS after_json, previous_hash, hash
       FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT ${BATCH}`,
    [afterSeq],
  )
  return rows
}
