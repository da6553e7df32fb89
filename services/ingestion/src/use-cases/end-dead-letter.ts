import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type DeadLetter, endDeadLetter as ended, lockDeadLetter } from '../db/dead-letters.ts'
import { ENDED } from '../domain/hook.ts'
import { deadLetterAudit } from '../events.ts'

/**
 * Ends a dead letter of which nothing is to come, as an operator has decided, whose reason the audit log keeps. Other
 * deliveries of its event are duplicates from now on; a retry takes it up again.
 */
export async function endDeadLetter(
  ctx: Context,
  by: By<'every tenant'>,
  { id, reason }: { id: string; reason: string },
): Promise<DeadLetter> {
  return ctx.transact(by.scope, async (tx) => {
    const before = (await lockDeadLetter(tx, id))?.letter
    if (!before) throw new ServiceError('not_found')
    if (before.status === 'retrying') throw new ServiceError('invalid_state')
    if (before.status === 'resolved' && before.reason !== ENDED) throw new ServiceError('already_succeeded')
    if (before.status === 'resolved') return before
    const after = await ended(tx, id)
    tx.publish(deadLetterAudit(by.caller, 'ingestion_dead_letter.end', { before, after, reason }))
    return after
  })
}
