import type { CashRecord } from './cash.ts'

export type JsonObject = Record<string, unknown>

/** The unified record of an order as merchants see it; unknown keys of the two inner objects are kept. */
export interface UnifiedRecord {
  schema_version: string
  status: string
  payment_verified: boolean
  raw_payload: JsonObject
  standardized: JsonObject
  pod?: JsonObject
  /** What became of the cash on delivery, as the rider says. */
  cod?: CashRecord
  /** Why the goods came back or were lost, as their rider says. */
  failure?: { status: string; reason: string; actor_type: string; actor_id: string; at: string }
  /** The last time that a rider gave the order back. */
  decline?: { reason: string | null; actor_type: string; actor_id: string; at: string }
  cancellation?: { reason: string; notes: string | null; actor_type: string; actor_id: string; at: string }
}

/** Reads a stored record; it was written by this service, so its shape is known. */
export const parseUnified = (json: string): UnifiedRecord => JSON.parse(json) as UnifiedRecord
