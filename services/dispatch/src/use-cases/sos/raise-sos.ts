import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type By, riderOf } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockRider } from '../../db/riders.ts'
import { insertSosAlert, lastSosAt, type SosAlert } from '../../db/sos-alerts.ts'
import { secondsUntil } from '../../domain/otp.ts'
import { isSandbox, type Rider } from '../../domain/rider.ts'

/** Keeps a rider's cry for help, and then sends it to the operator's phones; of repeats within the cooldown one counts. */
export async function raiseSos(ctx: Context, by: By, said: Pick<SosAlert, 'point' | 'note'>): Promise<SosAlert> {
  const { alert, rider } = await ctx.transact('every tenant', async (tx) => {
    const found = await lockRider(tx, riderOf(by))
    if (!found) throw new ServiceError('not_found')
    const merchantId = isSandbox(found.id) ? (by.caller.merchantId ?? null) : found.merchantId
    await assertCooledDown(ctx, tx, found.id, merchantId)
    const raised = { id: randomUUID(), riderId: found.id, merchantId, ...said, createdAt: tx.now }
    await insertSosAlert(tx, raised)
    return { alert: raised, rider: found }
  })
  if (!isSandbox(rider.id)) ctx.messenger.afterwards(alarm(ctx, rider, alert))
  return alert
}

/** The rider's row is held: of many at once one is first. Tenants of the shared rider do not share its cooldown. */
async function assertCooledDown(ctx: Context, tx: Tx, riderId: string, merchantId: string | null): Promise<void> {
  const last = await lastSosAt(tx, riderId, merchantId)
  if (!last) return
  const until = new Date(last.getTime() + ctx.config.sosCooldownSeconds * 1000)
  if (until > tx.now) throw new ServiceError('sos_cooldown', { retryAfterSeconds: secondsUntil(until, tx.now) })
}

async function alarm(ctx: Context, { name, phone }: Rider, { point, note }: SosAlert): Promise<void> {
  const place = point ? ` at ${point.lat},${point.lng}` : ''
  const text = `SOS of rider ${name} (${phone})${place}${note ? `: ${note}` : ''}`
  await Promise.all(ctx.config.sosPhones.map((to) => ctx.messenger.send({ to, text })))
}
