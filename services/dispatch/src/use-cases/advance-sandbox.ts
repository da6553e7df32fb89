import type { Tx } from '@svc/transact'
import { type Advance, advanceJobs, keepAdvance } from '../db/sandbox-clock.ts'

/** Lets so much time pass for the test orders of the merchant that were made before, heard of or not. */
export async function advanceSandbox(tx: Tx, advance: Advance): Promise<void> {
  await keepAdvance(tx, advance)
  await advanceJobs(tx, advance)
}
