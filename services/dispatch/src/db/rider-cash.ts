import type { CashAccount } from '@svc/contracts/wallet/v1/cash'
import type { Tx } from '@svc/transact'
import type { Job } from '../domain/job.ts'
import { takesCapacityFrom } from './active-riders.ts'
import { rowOf, write } from './rows.ts'

/** A sum of cash as a number that can be read: what is more is above any cap all the same. */
export const readable = (sum: string): string => `least(${sum}, ${Number.MAX_SAFE_INTEGER})::bigint`

/** What a rider has in hand, of all merchants: of each what was told or booked, whichever is more, less what was settled. */
export const cashInHand = (rider: string): string =>
  readable(`coalesce((
  SELECT sum(in_hand) FROM (
    SELECT greatest(sum(c.told_minor), sum(c.booked_minor)) - sum(c.settled_minor) AS in_hand
      FROM rider_cash c WHERE c.rider_id = ${rider} GROUP BY c.merchant_id) AS held), 0)`)

/** A live order tells that its rider has taken cash: it counts from now on, before the wallet has booked it. */
export async function addTold(
  tx: Tx,
  cash: { riderId: string; merchantId: string; amountMinor: number },
): Promise<void> {
  await write(
    tx,
    `INSERT INTO rider_cash (rider_id, merchant_id, currency, told_minor) VALUES ($1, $2, '', $3)
     ON CONFLICT (rider_id, merchant_id, currency) DO UPDATE SET told_minor = rider_cash.told_minor + excluded.told_minor`,
    [cash.riderId, cash.merchantId, cash.amountMinor],
  )
}

/** Takes over a cash account as it was at that version; an older one changes nothing. */
export async function storeBooked(tx: Tx, account: CashAccount, version: number): Promise<void> {
  await write(
    tx,
    `INSERT INTO rider_cash (rider_id, merchant_id, currency, booked_minor, settled_minor, version)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (rider_id, merchant_id, currency) DO UPDATE SET
       booked_minor = excluded.booked_minor, settled_minor = excluded.settled_minor, version = excluded.version
     WHERE rider_cash.version < excluded.version`,
    [
      account.rider_id,
      account.merchant_id,
      account.currency,
      account.collected_minor,
      account.collected_minor - account.in_hand_minor,
      version,
    ],
  )
}

/** The cash that the rider has, and has yet to collect for orders other than this one as far as they bind it to the merchant. */
export async function cashOf(
  tx: Tx,
  riderId: string,
  { merchantId, orderId }: Pick<Job, 'merchantId' | 'orderId'>,
): Promise<number> {
  const found = await rowOf<{ minor: number }>(
    tx,
    `SELECT ${readable(`coalesce(sum(j.cod_amount_minor), 0) + ${cashInHand('$1')}`)} AS minor
       FROM rider_active a JOIN dispatch_jobs j USING (order_id)
      WHERE a.rider_id = $1 AND a.order_id <> $2 AND ${takesCapacityFrom('$3')}`,
    [riderId, orderId, merchantId],
  )
  return found!.minor
}
