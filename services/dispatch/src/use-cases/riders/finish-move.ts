import { randomUUID } from 'node:crypto'
import { systemCaller } from '@svc/grpc'
import { type BegunIntent, beginIntent, endIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import type { Rider } from '../../domain/rider.ts'

/** The kind of the intents that finish a rider's move to another phone. */
export const MOVE_INTENT = 'rider_moved'

/** For how long workers leave it to the call that moved the rider. */
const LEASE_SECONDS = 15

interface Move {
  riderId: string
  /** The one family of tokens that goes on; null: none does. */
  keptSessionId: string | null
  /** Names the end of the others, the same in each repeat. */
  revocationId?: string
}

export interface BegunMove extends Move {
  intent: BegunIntent
}

/** Records that all other tokens end and withdrawals freeze. The caller does so after the commit; else the worker does. */
export async function beginMove(
  tx: Tx,
  { id: riderId, merchantId }: Rider,
  keptSessionId: string | null,
): Promise<BegunMove> {
  const payload: Move = { riderId, keptSessionId, revocationId: randomUUID() }
  const kept = { kind: MOVE_INTENT, subjectId: randomUUID(), merchantId, payload, earlierAttempts: 0 }
  return { ...payload, intent: await beginIntent(tx, kept, LEASE_SECONDS) }
}

/** Freezes withdrawals before the tokens end: what is left of a thief's minute is worth nothing. */
export async function finishMove(
  ctx: Pick<Context, 'credentials' | 'wallet'>,
  { riderId, keptSessionId, revocationId }: Move,
): Promise<object> {
  await ctx.wallet.freezeWithdrawals(riderId)
  const admin = ctx.credentials.as(systemCaller('dispatch'))
  await admin.revokeRiderTokens({
    rider_id: riderId,
    except_session_id: keptSessionId ?? undefined,
    revocation_id: revocationId,
  })
  return {}
}

/** The same where the caller's own act is done: what does not answer now is asked again by the worker. */
export async function finishMoveOrLater(ctx: Context, move: BegunMove): Promise<void> {
  try {
    await finishMove(ctx, move)
    await ctx.transact('every tenant', (tx) => endIntent(tx, move.intent.id, 'applied', {}))
  } catch (err) {
    ctx.logger.warn({ err, rider: move.riderId }, 'what follows from a move waits; the worker goes on')
  }
}
