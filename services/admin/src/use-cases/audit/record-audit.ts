import type { Tx } from '@svc/transact'
import { insertEntry, lockLastEntry } from '../../db/audit-log.ts'
import { type AuditEntry, type AuditKey, CHAIN_START, chainHash } from '../../domain/audit-entry.ts'

/** Appends an entry to the audit log, chained by the key to the one before it. */
export async function recordAudit(tx: Tx, key: AuditKey, entry: AuditEntry): Promise<void> {
  const last = await lockLastEntry(tx)
  const seq = (last?.seq ?? 0) + 1
  const previous = last?.hash ?? CHAIN_START
  const hash = chainHash(previous, seq, entry, key)
  await insertEntry(tx, { seq, ...entry, key_id: key.id, previous_hash: previous, hash })
}
