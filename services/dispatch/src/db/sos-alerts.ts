import { SANDBOX_RIDER } from '@svc/credentials'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { Point } from '../domain/coverage.ts'
import { type Listed, listed } from './listed.ts'
import { rowOf, type Source, write } from './rows.ts'

export interface SosAlert {
  id: string
  riderId: string
  merchantId: string | null
  point: Point | null
  note: string | null
  createdAt: Date
}

export async function insertSosAlert(tx: Tx, alert: SosAlert): Promise<void> {
  const { id, riderId, merchantId, point, note, createdAt } = alert
  await write(
    tx,
    `INSERT INTO sos_alerts (id, rider_id, merchant_id, lat, lng, note, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, riderId, merchantId, point?.lat ?? null, point?.lng ?? null, note, createdAt],
  )
}

/** When the rider last raised an alert in that fleet. */
export async function lastSosAt(tx: Tx, riderId: string, merchantId: string | null): Promise<Date | null> {
  const last = await rowOf<{ at: Date | null }>(
    tx,
    'SELECT max(created_at) AS at FROM sos_alerts WHERE rider_id = $1 AND merchant_id IS NOT DISTINCT FROM $2',
    [riderId, merchantId],
  )
  return last?.at ?? null
}

export interface SosFilter {
  merchantId?: string
  riderId?: string
}

/** Newest first; those of the sandbox only where its rider is asked for. */
export const pageOfSosAlerts = (
  source: Source,
  { merchantId, riderId }: SosFilter,
  page: Page,
): Promise<Listed<SosAlert>> =>
  listed<SosAlert>(source, {
    columns: `a.id, a.rider_id, a.merchant_id, a.note, a.created_at,
              CASE WHEN a.lat IS NOT NULL THEN json_build_object('lat', a.lat, 'lng', a.lng) END AS point`,
    from: 'sos_alerts a',
    where: {
      'a.merchant_id = ?::uuid': merchantId,
      'a.rider_id = ?::uuid': riderId,
      'a.rider_id <> ?::uuid': riderId === undefined ? SANDBOX_RIDER.id : undefined,
    },
    orderBy: 'a.created_at DESC, a.id DESC',
    page,
  })
