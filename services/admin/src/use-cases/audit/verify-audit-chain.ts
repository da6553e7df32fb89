import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Database } from '@svc/database'
import { type ChainLink, readLinks } from '../../db/audit-log.ts'
import { type AuditKey, CHAIN_START, chainHashOf, headOf } from '../../domain/audit-entry.ts'

interface Expectations {
  /** All by which entries were ever chained. */
  keys: readonly AuditKey[]
  /** Heads that were written down elsewhere, as `seq:hash`. */
  heads?: readonly string[]
}

export interface ChainVerdict {
  intact: boolean
  /** Entries that were checked and found right. */
  entries: number
  /** Of the last right entry, to be written down elsewhere and expected later. */
  head: string
  /** Where the chain breaks. */
  brokenAtSeq?: number
  /** What is wrong, for an operator. */
  problem?: string
}

/** A few megabytes. */
const BATCH = 5_000

/**
 * Computes the chain again from its start: any entry changed, removed or moved within it shows, and so does a chain that
 * somebody without the key has written anew. What no key proves, an expected head does: entries of before there was a key,
 * and that none was cut off the end.
 */
export async function verifyAuditChain(
  { worker }: Pick<Database, 'worker'>,
  { keys, heads = [] }: Expectations,
): Promise<ChainVerdict> {
  const keysById = new Map(keys.map(({ id, key }) => [id, { id, key: asKeyObject(key) }]))
  const expected = heads.map((head) => ({ seq: Number(head.split(':', 1)[0]), head }))
  let last = { seq: 0, hash: CHAIN_START, key_id: null as string | null }
  let unkeyedUntil = 0
  const broken = (brokenAtSeq: number, problem: string): ChainVerdict => ({
    intact: false,
    entries: last.seq,
    head: headOf(last.seq, last.hash),
    brokenAtSeq,
    problem,
  })
  for await (const links of pages(worker)) {
    for (const [seq, key_id, values, previous_hash, hash] of links) {
      const key = key_id === null ? null : keysById.get(key_id)
      if (seq !== last.seq + 1)
        return broken(seq, `Entry ${last.seq + 1} is not there; after ${last.seq} comes ${seq}.`)
      if (key === undefined)
        return broken(seq, `Entry ${seq} is chained by a key that AUDIT_KEY does not name: ${key_id}.`)
      if (key === null && last.key_id !== null)
        return broken(seq, `Entry ${seq} is chained without a key, though those before it have one: it is forged.`)
      if (!previous_hash.equals(last.hash) || !hash.equals(chainHashOf(last.hash, seq, values, key)))
        return broken(seq, `Entry ${seq} is not as it was recorded, or does not follow the one before it.`)
      if (expected.some((one) => one.seq === seq && one.head !== headOf(seq, hash)))
        return broken(
          seq,
          `Entry ${seq} is not the one whose head was written down: the log was written anew up to here.`,
        )
      last = { seq, hash, key_id }
      if (key === null) unkeyedUntil = seq
    }
  }
  const furthest = Math.max(0, ...expected.map(({ seq }) => seq))
  if (furthest > last.seq)
    return broken(last.seq + 1, `The log ends with entry ${last.seq}, but had entry ${furthest}: its end was cut off.`)
  if (furthest < unkeyedUntil)
    return broken(
      furthest + 1,
      `Entries up to ${unkeyedUntil} have no key and prove nothing by themselves: expect a head of ${unkeyedUntil} or later that was written down.`,
    )
  return { intact: true, entries: last.seq, head: headOf(last.seq, last.hash) }
}

const asKeyObject = (key: Buffer | KeyObject): KeyObject => (Buffer.isBuffer(key) ? createSecretKey(key) : key)

/** The chain in pieces. The database reads the next one while this one is computed. */
async function* pages(worker: Database['worker']): AsyncGenerator<ChainLink[]> {
  const read = async (afterSeq: number) => readLinks(worker, afterSeq, BATCH)
  // From the very first, so that nothing stands before number 1.
  let next: Promise<ChainLink[]> | null = read(Number.MIN_SAFE_INTEGER)
  try {
    while (next) {
      const links: ChainLink[] = await next
      const last = links.at(-1)
      next = last && links.length === BATCH ? read(last[0]) : null
      yield links
    }
  } finally {
    // Of a chain that breaks nobody waits for the piece that is under way.
    await next?.catch(() => undefined)
  }
}
