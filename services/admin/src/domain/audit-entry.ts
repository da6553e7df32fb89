import { createHash, createHmac, type KeyObject } from 'node:crypto'

/** One row of the audit log, before it has its place in the chain. All values as stored, so that they can be hashed again. */
export interface AuditEntry {
  event_id: string
  /** ISO 8601 in UTC with milliseconds. */
  at: string
  actor_type: string
  actor_id: string
  on_behalf_of: string | null
  merchant_id: string | null
  action: string
  resource_type: string
  resource_id: string
  ip: string | null
  request_id: string | null
  trace_id: string | null
  before_json: string | null
  after_json: string | null
}

/** By which new entries are chained, or once were; the entry names it. It is kept where the database is not. */
export interface AuditKey {
  id: string
  /** As a KeyObject it makes each of many hashes four times as fast. */
  key: Buffer | KeyObject
}

/** What the first entry follows. */
export const CHAIN_START: Buffer = Buffer.alloc(32)

const FIELDS = [
  'event_id',
  'at',
  'actor_type',
  'actor_id',
  'on_behalf_of',
  'merchant_id',
  'action',
  'resource_type',
  'resource_id',
  'ip',
  'request_id',
  'trace_id',
  'before_json',
  'after_json',
] as const satisfies ReadonlyArray<keyof AuditEntry>

/**
 * HMAC-SHA-256 over the hash before it, the name of the key and the entry's values in fixed order: no entry can change,
 * vanish or move unseen, nor the whole be written anew without the key. Without one, as entries of before: SHA-256.
 */
export const chainHash = (previous: Uint8Array, seq: number, entry: AuditEntry, key: AuditKey | null): Buffer =>
  chainHashOf(previous, seq, JSON.stringify(FIELDS.map((field) => entry[field])), key)

/** The same of an entry whose values are an array in JSON already. */
export function chainHashOf(previous: Uint8Array, seq: number, values: string, key: AuditKey | null): Buffer {
  const numbered = `${seq},${values.slice(1)}`
  if (key === null) return createHash('sha256').update(previous).update(`[${numbered}`).digest()
  return createHmac('sha256', key.key)
    .update(previous)
    .update(`[${JSON.stringify(key.id)},${numbered}`)
    .digest()
}

/** An end that the chain has had, as it is written down and compared: `seq:hash`. */
export const headOf = (seq: number, hash: Buffer): string => `${seq}:${hash.toString('hex')}`
