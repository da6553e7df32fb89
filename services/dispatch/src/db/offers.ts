import type { Tx } from '@svc/outbox'
import type { Offer, OfferState } from '../domain/offer.ts'

const COLUMNS: Readonly<Record<keyof Offer, string>> = {
  id: 'id',
  orderId: 'order_id',
  riderId: 'rider_id',
  merchantId: 'merchant_id',
  isTest: 'is_test',
  kind: 'kind',
  state: 'state',
  round: 'round',
  rank: 'rank',
  scoreM: 'score_m',
  distanceM: 'distance_m',
  loadPenaltyM: 'load_penalty_m',
  assignmentVersion: 'assignment_version',
  actor: 'actor',
  accept: 'accept',
  lease: 'lease',
  leaseUntil: 'lease_until',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  respondedAt: 'responded_at',
}
const PROPERTIES = Object.keys(COLUMNS) as Array<keyof Offer>
const NAMES = Object.values(COLUMNS)
/** A select list that answers offers, of a table named `o`. */
export const OFFER = PROPERTIES.map((property) => `o.${COLUMNS[property]} AS "${property}"`).join(', ')

const INSERT = `INSERT INTO dispatch_offers (${NAMES.join(', ')}) VALUES (${NAMES.map((_, index) => `$${index + 1}`).join(', ')})`

/** The offer, or null. Whoever decides on it locks its job first. */
export async function findOffer(tx: Tx, id: string): Promise<Offer | null> {
  const { rows } = await tx.sql<Offer>(`SELECT ${OFFER} FROM dispatch_offers o WHERE id = $1`, [id])
  return rows[0] ?? null
}

/** Every offer of the order, oldest first. */
export async function offersOf(tx: Tx, orderId: string): Promise<Offer[]> {
  const { rows } = await tx.sql<Offer>(
    `SELECT ${OFFER} FROM dispatch_offers o WHERE order_id = $1 ORDER BY created_at, rank, id`,
    [orderId],
  )
  return rows
}

/** Adds an offer. The caller holds the lock of its job. */
export async function insertOffer(tx: Tx, offer: Offer): Promise<void> {
  await tx.sql(
    INSERT,
    PROPERTIES.map((property) => (property === 'actor' && offer.actor ? JSON.stringify(offer.actor) : offer[property])),
  )
}

/** Ends or answers offers. The caller holds the lock of their job. */
export async function setOfferState(tx: Tx, ids: readonly string[], state: OfferState): Promise<void> {
  if (ids.length === 0) return
  const isAnswer = state === 'accepted' || state === 'declined'
  await tx.sql(
    `UPDATE dispatch_offers SET state = $2, lease = NULL, lease_until = NULL${isAnswer ? ', responded_at = $3' : ''}
      WHERE id = ANY($1::uuid[])`,
    isAnswer ? [ids, state, tx.now] : [ids, state],
  )
}
