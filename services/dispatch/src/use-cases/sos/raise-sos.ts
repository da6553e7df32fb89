import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type By, riderOf } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockRider } from '../../db/riders.ts'
import { insertSosAlert, lastSosAt, type SosAlert } from '../../db/sos-alerts.ts'
import { secondsUntil } from '../../domain/otp.ts'
import { isOfNobody, isSandbox } from '../../domain/rider.ts'
import { openAlarms } from './alarm.ts'

/**
 * Keeps a rider's cry for help, and that each of the operator's phones is to be told of it; of repeats within the
 * cooldown one counts. Nothing is kept of the sandbox rider's where no merchant is named: nobody would look at it.
 */
export async function raiseSos(ctx: Context, by: By, said: Pick<SosAlert, 'point' | 'note'>): Promise<SosAlert> {
  const alert = await ctx.transact('every tenant', async (tx) => {
    if (isOfNobody(by.caller)) return raisedNow(tx, riderOf(by), null, said)
    const found = await lockRider(tx, riderOf(by))
    if (!found) throw new ServiceError('not_found')
    const merchantId = isSandbox(found.id) ? (by.caller.merchantId ?? null) : found.merchantId
    await assertCooledDown(ctx, tx, found.id, merchantId)
    const raised = raisedNow(tx, found.id, merchantId, said)
    await insertSosAlert(tx, raised)
    if (!isSandbox(found.id)) await openAlarms(tx, ctx.config.sosPhones, found, raised)
    return raised
  })
  ctx.alarms.wake()
  return alert
}

const raisedNow = (
  { now }: Pick<Tx, 'now'>,
  riderId: string,
  merchantId: string | null,
  said: Pick<SosAlert, 'point' | 'note'>,
): SosAlert => ({ id: randomUUID(), riderId, merchantId, ...said, createdAt: now })

/** The rider's row is held: of many at once one is first. Tenants of the shared rider do not share its cooldown. */
async function assertCooledDown(ctx: Context, tx: Tx, riderId: string, merchantId: string | null): Promise<void> {
  const last = await lastSosAt(tx, riderId, merchantId)
  if (!last) return
  const until = new Date(last.getTime() + ctx.config.sosCooldownSeconds * 1000)
  if (until > tx.now) throw new ServiceError('sos_cooldown', { retryAfterSeconds: secondsUntil(until, tx.now) })
}
