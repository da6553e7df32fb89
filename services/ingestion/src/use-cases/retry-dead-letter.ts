import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { handOn } from '../channels/hand-on.ts'
import type { Context } from '../context.ts'
import { type DeadLetter, lockDeadLetter } from '../db/dead-letters.ts'
import { ENDED, EXPIRED } from '../domain/hook.ts'
import { deadLetterAudit } from '../events.ts'

/**
 * Hands a dead letter on again, as an operator wants, also one that has expired or was ended; one that is on its way already is
 * left to arrive.
 */
export async function retryDeadLetter(
  ctx: Context,
  by: By<'every tenant'>,
  { id }: { id: string },
): Promise<DeadLetter> {
  return ctx.transact(by.scope, async (tx) => {
    const found = await lockDeadLetter(tx, id)
    if (!found) throw new ServiceError('not_found')
    const { letter: before, hook } = found
    const isOver = before.status === 'resolved' && before.reason !== EXPIRED && before.reason !== ENDED
    if (isOver) throw new ServiceError('already_succeeded')
    if (before.status === 'retrying') return before
    const after = await handOn(ctx, tx, hook)
    tx.publish(deadLetterAudit(by.caller, 'ingestion_dead_letter.retry', { before, after }))
    return after
  })
}
