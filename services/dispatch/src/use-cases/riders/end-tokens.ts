import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { type Intent, openIntent, untilDone } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import type { Rider } from '../../domain/rider.ts'

/** The kind of the intents that end a rider's tokens. */
export const REVOKE_TOKENS = 'revoke_tokens'

/** Records that the tokens of the locked rider are to end. The caller ends them after the commit; else a worker does. */
export async function openTokenEnd(tx: Tx, { id, merchantId }: Pick<Rider, 'id' | 'merchantId'>): Promise<void> {
  await openIntent(
    tx,
    { kind: REVOKE_TOKENS, subjectId: id, merchantId, payload: { revocationId: randomUUID() } },
    'caller',
  )
}

/** Has admin end the rider's tokens of that time: nothing but its success ends the intent, and repeats are the same revocation. */
export const revokeTokens = ({ credentials }: Pick<Context, 'credentials'>, { id, subject_id, payload }: Intent) => {
  const { revocationId } = payload as { revocationId?: string }
  const asked = { rider_id: subject_id, revocation_id: revocationId }
  return untilDone(credentials.as(systemCaller('dispatch', id)).revokeRiderTokens(asked))
}

/** Ends the tokens that openTokenEnd recorded; returns the token version, or throws where admin does not answer in time. */
export async function endTokens({ intents }: Pick<Context, 'intents'>, riderId: string): Promise<number> {
  const { state, outcome } = await intents.drive(REVOKE_TOKENS, riderId)
  if (state !== 'applied') throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 })
  return (outcome as { token_version: number }).token_version
}

/** The same where the caller's own act is done: when admin does not answer, a worker goes on. */
export async function endTokensOrLater({ intents }: Pick<Context, 'intents'>, riderId: string): Promise<void> {
  await intents.drive(REVOKE_TOKENS, riderId)
}
