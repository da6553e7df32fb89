import type { Tx } from '@svc/transact'
import { isWaiting, type Job } from '../domain/job.ts'
import type { Offer, OfferActor, OfferState, Reach } from '../domain/offer.ts'
import { columnOf, rowOf, rowsOf, type Source, write } from './rows.ts'

const PROPERTIES = Object.keys({
  id: true,
  orderId: true,
  riderId: true,
  merchantId: true,
  isTest: true,
  kind: true,
  state: true,
  round: true,
  rank: true,
  scoreM: true,
  distanceM: true,
  loadPenaltyM: true,
  assignmentVersion: true,
  actor: true,
  accept: true,
  lease: true,
  leaseUntil: true,
  expiresAt: true,
  createdAt: true,
  respondedAt: true,
} satisfies Record<keyof Offer, true>) as Array<keyof Offer>
const COLUMNS = PROPERTIES.map(columnOf).join(', ')
// Riders are locked in the order of their ids, so that no two transactions wait for each other.
const INSERT = `INSERT INTO dispatch_offers (${COLUMNS})
  SELECT ${COLUMNS} FROM jsonb_populate_recordset(NULL::dispatch_offers, $1) ORDER BY rider_id`

/** Longer than the order may take to answer; after it any replica may finish what is under way. */
const LEASE_SECONDS = 15

/** Of offers `o`: those put to the rider of a reach, given as the parameters 1 to 3. */
const REACHED = `o.kind = 'auto' AND o.rider_id = $1 AND o.is_test = $2 AND (NOT o.is_test OR o.merchant_id = $3)`
const valuesOf = ({ riderId, isTest, merchantId }: Reach): unknown[] => [riderId, isTest, merchantId]

/** The offer, or null. A transaction that decides on it locks its job first. */
export const findOffer = (tx: Tx, id: string): Promise<Offer | null> =>
  rowOf<Offer>(tx, 'SELECT * FROM dispatch_offers WHERE id = $1', [id])

/** The offer where it was put to that rider, or null. */
export const findReachedOffer = (tx: Tx, reach: Reach, id: string): Promise<Offer | null> =>
  rowOf<Offer>(tx, `SELECT * FROM dispatch_offers o WHERE ${REACHED} AND o.id = $4`, [...valuesOf(reach), id])

/** The offers that the rider may answer now, those that end first before the others. */
export const openOffersOf = (source: Source, reach: Reach): Promise<Offer[]> =>
  rowsOf<Offer>(
    source,
    `SELECT * FROM dispatch_offers o WHERE ${REACHED} AND o.state = 'pending' AND o.expires_at > app_now()
      ORDER BY o.expires_at, o.id`,
    valuesOf(reach),
  )

/** The job of an offer that the rider may answer now, or null. */
export const findOpenlyOfferedJob = (source: Source, reach: Reach, offerId: string): Promise<Job | null> =>
  rowOf<Job>(
    source,
    `SELECT j.* FROM dispatch_offers o JOIN dispatch_jobs j USING (order_id)
      WHERE ${REACHED} AND o.state = 'pending' AND o.expires_at > app_now() AND o.id = $4`,
    [...valuesOf(reach), offerId],
  )

/** Every offer of the orders, oldest first. */
export const offersOf = (tx: Tx, orderIds: readonly string[]): Promise<Offer[]> =>
  rowsOf<Offer>(tx, 'SELECT * FROM dispatch_offers WHERE order_id = ANY($1::uuid[]) ORDER BY created_at, rank, id', [
    orderIds,
  ])

/** Adds offers. The caller holds the locks of their jobs. */
export async function insertOffers(tx: Tx, offers: readonly Offer[]): Promise<void> {
  if (offers.length === 0) return
  const rows = offers.map((offer) =>
    Object.fromEntries(PROPERTIES.map((property) => [columnOf(property), offer[property]])),
  )
  await write(tx, INSERT, [JSON.stringify(rows)])
}

/** Takes a pending offer under way, or an assignment under way over. The caller holds the lock of its job. */
export async function leaseOffer(tx: Tx, id: string, actor?: OfferActor): Promise<void> {
  await write(
    tx,
    `UPDATE dispatch_offers SET state = 'accepting', lease = gen_random_uuid(), actor = coalesce($2::jsonb, actor),
            lease_until = $3::timestamptz + interval '${LEASE_SECONDS} seconds'
      WHERE id = $1`,
    [id, actor ? JSON.stringify(actor) : null, tx.now],
  )
}

/** Takes over the assignment under way whose lease ended first; null when there is none. */
export async function claimAbandonedOffer(tx: Tx): Promise<Offer | null> {
  const abandoned = await rowOf<Offer>(
    tx,
    `SELECT * FROM dispatch_offers WHERE state = 'accepting' AND lease_until <= $1
      ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [tx.now],
  )
  if (abandoned) await leaseOffer(tx, abandoned.id)
  return abandoned
}

/** Ends or answers offers. The caller holds the lock of their job. */
export async function setOfferState(tx: Tx, ids: readonly string[], state: OfferState): Promise<void> {
  if (ids.length === 0) return
  const isAnswer = state === 'accepted' || state === 'declined'
  await write(
    tx,
    `UPDATE dispatch_offers SET state = $2, lease = NULL, lease_until = NULL${isAnswer ? ', responded_at = $3' : ''}
      WHERE id = ANY($1::uuid[])`,
    isAnswer ? [ids, state, tx.now] : [ids, state],
  )
}

/** Has open offers stand until then. The caller holds the lock of their job. */
export async function setOfferEnd(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  await write(tx, `UPDATE dispatch_offers SET expires_at = $2 WHERE id = ANY($1::uuid[]) AND state = 'pending'`, [
    ids,
    at,
  ])
}

/** The rider of this offer has the order; the offer accepted before it, where there is one, is withdrawn. */
export async function acceptOnly(tx: Tx, { id, orderId }: Offer): Promise<void> {
  await write(tx, `UPDATE dispatch_offers SET state = 'withdrawn' WHERE order_id = $1 AND state = 'accepted'`, [
    orderId,
  ])
  await setOfferState(tx, [id], 'accepted')
}

/** Offers stand while the order waits as it did when they were made; an accepted one while its rider has the order. */
export async function withdrawOutdatedOffers(tx: Tx, job: Job): Promise<void> {
  await write(
    tx,
    `UPDATE dispatch_offers SET state = 'withdrawn'
      WHERE order_id = $1 AND (
        state = 'pending' AND NOT ($2 AND assignment_version = $3)
        OR state = 'accepted' AND rider_id IS DISTINCT FROM $4)`,
    [job.orderId, isWaiting(job), job.assignmentVersion, job.riderId],
  )
}
