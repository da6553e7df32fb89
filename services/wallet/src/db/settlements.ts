import { batched, type Database } from '@svc/database'
import { decided } from '@svc/transact'
import { DatabaseError } from 'pg'
import { type Decision, type Owner, requestHash } from '../domain/operation.ts'
import { DECISION, type DecisionRow, decisionOf } from './decision.ts'
import { factHeaders } from './post-operation.ts'

export interface Settlement {
  opKey: string
  orderId: string
  merchantId: string
  riderId: string
  amountMinor: number
  currency: string
  mode: 'pay' | 'hold_in_escrow'
  payer: Owner
  factId: string
  factPayload: Buffer
}

export type Settlements = (settlement: Settlement) => Promise<Decision>

const MAX_TOGETHER = 64
/** Transactions under way at once. Commissions of one merchant go one way, so that they share its lock. */
const LANES = 4

const COLUMNS: ReadonlyArray<readonly [type: string, value: (settlement: Settlement) => unknown]> = [
  ['text', ({ opKey }) => opKey],
  ['bytea', hashOf],
  ['text', ({ mode }) => mode],
  ['uuid', ({ orderId }) => orderId],
  ['uuid', ({ merchantId }) => merchantId],
  ['uuid', ({ riderId }) => riderId],
  ['bigint', ({ amountMinor }) => amountMinor],
  ['text', ({ currency }) => currency],
  ['owner_kind', ({ payer }) => payer.kind],
  ['uuid', ({ payer }) => payer.id],
  ['uuid', ({ factId }) => factId],
  ['bytea', ({ factPayload }) => factPayload],
  ['jsonb', () => factHeaders()],
]

/** In the order of what was asked: each settlement is told its own decision. */
export const SETTLE = `
  SELECT ${DECISION} FROM settle_commissions(${COLUMNS.map(([type], i) => `$${i + 1}::${type}[]`).join(', ')})
    WITH ORDINALITY AS decided (outcome, is_replay, result, nth) ORDER BY nth`

/**
 * Settles commissions, each in a transaction that it may share with those that come while another is under way: one
 * lock of a busy wallet and one commit for all of them. What is wrong with one never fails another.
 */
export function settlements(pool: Database['worker']): Settlements {
  async function settle(batch: readonly Settlement[]): Promise<DecisionRow[]> {
    const values = COLUMNS.map(([, valueOf]) => batch.map(valueOf))
    const { rows } = await pool.query<DecisionRow>({ name: 'settle_commissions', text: SETTLE, values })
    return rows
  }
  const lanes = Array.from({ length: LANES }, () =>
    batched<Settlement, DecisionRow>({
      limit: MAX_TOGETHER,
      alone: async (settlement) => (await settle([settlement]))[0]!,
      together: settle,
      // What the server itself refuses it has rolled back.
      isUndone: (error) => error instanceof DatabaseError,
    }),
  )
  return async (settlement) => decisionOf(await decided(lanes[laneOf(settlement)]!(settlement)))
}

const laneOf = ({ merchantId }: Settlement) => Number.parseInt(merchantId.slice(-4), 16) % LANES

function hashOf({ orderId, merchantId, riderId, amountMinor, currency, mode, payer }: Settlement): Buffer {
  return requestHash(orderId, merchantId, riderId, amountMinor, currency, mode, payer.kind)
}
