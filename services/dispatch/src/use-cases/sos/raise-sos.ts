import { randomUUID } from 'node:crypto'
import type { RaiseSosRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockRider } from '../../db/riders.ts'
import { insertSosAlert, lastSosAt, type SosAlert } from '../../db/sos-alerts.ts'
import { secondsUntil } from '../../domain/otp.ts'
import { pointFaults } from '../../domain/point.ts'
import { isSandbox, type Rider } from '../../domain/rider.ts'
import { requireText } from '../../domain/rider-input.ts'

/** Keeps a rider's cry for help, and then sends it to the operator's phones; of repeats within the cooldown one counts. */
export async function raiseSos(ctx: Context, caller: Caller, { point, note }: RaiseSosRequest): Promise<SosAlert> {
  const [first, ...rest] = point ? pointFaults(point, ['lat', 'lng']) : []
  if (first) throw validationError([first, ...rest])
  const text = note?.trim() ? requireText('note', note, 500) : null
  const { alert, rider } = await ctx.transact('every tenant', async (tx) => {
    const found = await lockRider(tx, caller.actor.id)
    if (!found) throw new ServiceError('not_found')
    const merchantId = isSandbox(found.id) ? (caller.merchantId ?? null) : found.merchantId
    await assertCooledDown(ctx, tx, found.id, merchantId)
    const raised = {
      id: randomUUID(),
      riderId: found.id,
      merchantId,
      point: point ?? null,
      note: text,
      createdAt: tx.now,
    }
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
