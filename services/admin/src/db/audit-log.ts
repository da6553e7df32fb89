import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import type { AuditEntry } from '../domain/audit-entry.ts'

type Worker = Pick<Database['worker'], 'query'>

export interface ChainedEntry extends AuditEntry {
  seq: number
  /** Of the key by which it is chained; null for those of before there was one. */
  key_id: string | null
  previous_hash: Buffer
  hash: Buffer
}

type ChainEnd = Pick<ChainedEntry, 'seq' | 'hash'>

/** One chain: each append waits for the one before it. */
const CHAIN_LOCK = 7_264_001
const LAST = 'SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1'

/** The newest entry, after which the next one goes until the transaction ends. */
export async function lockLastEntry(tx: Tx): Promise<ChainEnd | undefined> {
  await tx.sql('SELECT pg_advisory_xact_lock($1)', [CHAIN_LOCK])
  const { rows } = await tx.sql<ChainEnd>(LAST)
  return rows[0]
}

/** The newest entry. */
export async function findLastEntry(worker: Worker): Promise<ChainEnd | undefined> {
  const { rows } = await worker.query<ChainEnd>(LAST)
  return rows[0]
}

/** A link of the chain: what is hashed of an entry as an array in JSON, what it follows, and its hash. */
export type ChainLink = [seq: number, keyId: string | null, values: string, previousHash: Buffer, hash: Buffer]

/**
 * The next links of the chain, oldest first. The database spells the values as JSON.stringify does: reading and spelling them
 * one by one would be most of the work of verifying a long log.
 */
export async function readLinks(worker: Worker, afterSeq: number, limit: number): Promise<ChainLink[]> {
  const { rows } = await worker.query<ChainLink>({
    text: `
      SELECT seq, key_id, pg_catalog.to_json(ARRAY[
               event_id::text, pg_catalog.to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), actor_type, actor_id,
               on_behalf_of, merchant_id, action, resource_type, resource_id, ip, request_id, trace_id, before_json::text,
               after_json::text])::text, previous_hash, hash
        FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT $2`,
    values: [afterSeq, limit],
    rowMode: 'array',
  })
  return rows
}

export async function insertEntry(tx: Tx, entry: ChainedEntry): Promise<void> {
  const columns = Object.keys(entry)
  await tx.sql(
    `INSERT INTO audit_log (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(entry),
  )
}
