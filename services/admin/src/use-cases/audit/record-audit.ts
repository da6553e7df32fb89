import type { Tx } from '@svc/outbox'
import { type AuditEntry, CHAIN_START, chainHash } from '../../domain/audit-entry.ts'

/** One chain: whoever appends waits for whoever appends before. */
const CHAIN_LOCK = 7_264_001

/** Appends an entry to the audit log, chained to the one before it. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.sql('SELECT pg_advisory_xact_lock($1)', [CHAIN_LOCK])
  const {
    rows: [last],
  } = await tx.sql<{ seq: number; hash: Buffer }>('SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1')
  const seq = (last?.seq ?? 0) + 1
  const previous = last?.hash ?? CHAIN_START
  const row = { seq, ...entry, previous_hash: previous, hash: chainHash(previous, seq, entry) }
  const columns = Object.keys(row)
  await tx.sql(
    `INSERT INTO audit_log (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
}
