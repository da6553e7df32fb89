import type { Tx } from '@svc/transact'
import { insertEntry, lockLastEntry } from '../../db/audit-log.ts'
import { type AuditEntry, CHAIN_START, chainHash } from '../../domain/audit-entry.ts'

/** Appends an entry to the audit log, chained to the one before it. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const last = await lockLastEntry(tx)
  const seq = (last?.seq ?? 0) + 1
  const previous = last?.hash ?? CHAIN_START
  await insertEntry(tx, { seq, ...entry, previous_hash: previous, hash: chainHash(previous, seq, entry) })
}
