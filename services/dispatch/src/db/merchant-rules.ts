import type { Tx } from '@svc/transact'
import type { MerchantRules } from '../domain/dispatch-rules.ts'
import { nextOpening } from '../domain/schedule.ts'
import { rowOf, write } from './rows.ts'
import { findSchedule } from './schedules.ts'

const KEY = `hashtextextended('merchant:' || $1, 0)`

/** Holds off every transaction about to act by the settings of the merchant, until the one that changes them ends. */
export async function lockSettings(tx: Tx, merchantId: string): Promise<void> {
  await write(tx, `SELECT pg_advisory_xact_lock(${KEY})`, [merchantId])
}

/**
 * How the merchant wants its orders dispatched; by hand until its settings are known. They stay as they are until the
 * transaction ends.
 */
export async function merchantRules(tx: Tx, merchantId: string): Promise<MerchantRules> {
  await write(tx, `SELECT pg_advisory_xact_lock_shared(${KEY})`, [merchantId])
  const known = await rowOf<MerchantRules>(
    tx,
    `SELECT auto_dispatch_enabled AS auto_dispatch, dispatch_mode AS mode, dispatch_batch_size AS batch_size,
            fulfillment_mode = 'internal_fleet' AS fleet_only
       FROM merchants WHERE id = $1`,
    [merchantId],
  )
  return known ?? { autoDispatch: false, mode: 'one_by_one', batchSize: 1, fleetOnly: false }
}

/** When the merchant's schedule is open next, now included; null: never. Without a schedule it is always open. */
export async function opensAt(tx: Tx, merchantId: string): Promise<Date | null> {
  const schedule = await findSchedule(tx, merchantId)
  return schedule ? nextOpening(schedule, tx.now) : tx.now
}
