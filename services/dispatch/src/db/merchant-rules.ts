import type { Tx } from '@svc/transact'
import type { MerchantRules } from '../domain/dispatch-rules.ts'
import { nextOpening, type Schedule } from '../domain/schedule.ts'
import { rowsOf, write } from './rows.ts'

const keyOf = (merchantId: string) => `hashtextextended('merchant:' || ${merchantId}, 0)`

/** Holds off every transaction about to act by the settings of the merchant, until the one that changes them ends. */
export async function lockSettings(tx: Tx, merchantId: string): Promise<void> {
  await write(tx, `SELECT pg_advisory_xact_lock(${keyOf('$1')})`, [merchantId])
}

/** How a merchant wants its orders dispatched. */
interface DispatchingMerchant extends MerchantRules {
  /** When its schedule is open next, now included; null: never. Without a schedule it is always open. */
  opensAt: Date | null
}

type Row = { merchantId: string } & MerchantRules & { [Key in keyof Schedule]: Schedule[Key] | null }

/**
 * How these merchants want their orders dispatched; by hand until their settings are known. They stay as they are until the
 * transaction ends.
 */
export async function merchantRules(tx: Tx, merchantIds: readonly string[]): Promise<Map<string, DispatchingMerchant>> {
  // Before the statement that reads them: its snapshot is to be of a moment when nobody changes them.
  await write(
    tx,
    `SELECT pg_advisory_xact_lock_shared(${keyOf('id')})
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS sorted`,
    [merchantIds],
  )
  const rows = await rowsOf<Row>(
    tx,
    `SELECT asked.id AS merchant_id, coalesce(m.auto_dispatch_enabled, false) AS auto_dispatch,
            coalesce(m.dispatch_mode, 'one_by_one') AS mode, coalesce(m.dispatch_batch_size, 1) AS batch_size,
            coalesce(m.fulfillment_mode = 'internal_fleet', false) AS fleet_only,
            s.timezone, s.windows, s.closed_dates::text[] AS closed_dates
       FROM (SELECT DISTINCT id FROM unnest($1::uuid[]) AS id) AS asked
       LEFT JOIN merchants m ON m.id = asked.id
       LEFT JOIN dispatch_schedules s ON s.merchant_id = asked.id`,
    [merchantIds],
  )
  return new Map(
    rows.map(({ merchantId, timezone, windows, closedDates, ...rules }) => {
      const schedule = timezone !== null &&
        windows !== null &&
        closedDates !== null && { timezone, windows, closedDates }
      return [merchantId, { ...rules, opensAt: schedule ? nextOpening(schedule, tx.now) : tx.now }]
    }),
  )
}
