import { type Charge, PaymentRefusedError, type Payments } from '@svc/payments'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { creditTopup } from '../../db/credit-topup.ts'
import { claimDueTopup, lockTopup, storeVerification } from '../../db/topups.ts'
import { nextVerification } from '../../domain/next-verification.ts'
import { mismatchOf } from '../../domain/topup.ts'

const LANES = 4
/** Longer than the provider may take to answer. */
const LEASE_MS = 60_000

/**
 * Asks the provider about every top-up that is due, and credits what was paid without our hearing of it. Any number of
 * replicas may do this at once: each top-up is asked about by one of them.
 */
export async function sweepTopups(ctx: Context, payments: Payments, signal: AbortSignal): Promise<void> {
  async function lane(): Promise<void> {
    while (!signal.aborted && (await sweepOne(ctx, payments)));
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** False where nothing is due, or where the answer could not be had: the top-up is due again when the claim ends. */
async function sweepOne(ctx: Context, payments: Payments): Promise<boolean> {
  const reference = await ctx.transact('every tenant', (tx) => claimDueTopup(tx, LEASE_MS))
  if (reference === null) return false
  try {
    ctx.failpoint('sweep.claimed')
    const answer = await payments.verifyTransaction(reference).catch((error: unknown) => {
      if (error instanceof PaymentRefusedError) return error
      throw error
    })
    ctx.failpoint('sweep.verified')
    await ctx.transact('every tenant', (tx) => conclude(ctx, tx, reference, answer))
    ctx.failpoint('sweep.credited')
    ctx.relay.wake()
    return true
  } catch (err) {
    ctx.logger.warn({ err, reference }, 'a top-up could not be verified; it stays open')
    return false
  }
}

async function conclude(
  ctx: Context,
  tx: Tx,
  reference: string,
  answer: Charge | PaymentRefusedError | null,
): Promise<void> {
  const topup = await lockTopup(tx, reference)
  // A hook was faster.
  if (!topup || topup.state === 'credited') return
  const isRefused = answer instanceof PaymentRefusedError
  if (!isRefused && answer?.status === 'success') {
    const mismatch = mismatchOf(topup, answer)
    if (!mismatch) return creditTopup(tx, topup)
    ctx.logger.error({ reference, mismatch, alert: 'topup_mismatch' }, 'a payment is not what its top-up asked for')
  }
  const verifyAt = nextVerification(topup.createdAt, tx.now, ctx.config.paymentSweepAfterMs)
  if (isRefused && verifyAt === null)
    ctx.logger.error({ err: answer, reference, alert: 'topup_unverifiable' }, 'whether it was paid is not known')
  await storeVerification(tx, reference, isRefused ? null : (answer?.status ?? null), verifyAt)
}
