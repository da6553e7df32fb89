import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findWallet } from '../db/wallets.ts'

/** Whether the rider has ever earned or taken out anything live. */
export async function checkRiderLedger(ctx: Context, _by: By, { riderId }: { riderId: string }): Promise<boolean> {
  const wallet = await findWallet(ctx.reads.in('every tenant').sql, { kind: 'rider', id: riderId }, false)
  return wallet !== null && wallet.entries > 0
}
