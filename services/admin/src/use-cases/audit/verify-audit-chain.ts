import type { Database } from '@svc/database'
import { readEntries } from '../../db/audit-log.ts'
import { CHAIN_START, chainHash } from '../../domain/audit-entry.ts'

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
export async function verifyAuditChain({ worker }: Pick<Database, 'worker'>): Promise<ChainVerdict> {
  let head: Buffer = CHAIN_START
  let entries = 0
  for (;;) {
    const rows = await readEntries(worker, entries, BATCH)
    for (const { seq, previous_hash, hash, ...entry } of rows) {
      const expected = chainHash(head, seq, entry)
      if (seq !== entries + 1 || !previous_hash.equals(head) || !hash.equals(expected))
        return { intact: false, entries, head: head.toString('hex'), brokenAtSeq: seq }
      head = hash
      entries = seq
    }
    if (rows.length < BATCH) return { intact: true, entries, head: head.toString('hex') }
  }
}
