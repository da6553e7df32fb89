import type { CheckCoverageResponse, Schedule as ScheduleMessage, Zone } from '@svc/contracts/dispatch/v1/place_service'
import type { Area } from '../db/areas.ts'
import type { Coverage } from '../domain/coverage.ts'
import type { Schedule } from '../domain/schedule.ts'

/** An area as merchants and operators see it. */
export const zoneMessage = (area: Area): Zone => ({
  id: area.id,
  merchant_id: area.merchantId ?? undefined,
  name: area.name,
  active: area.active,
  priority: area.priority,
  geometry_json: area.geometryJson,
  created_at: area.createdAt.toISOString(),
})

/** A schedule as operators see it. */
export const scheduleMessage = ({ timezone, windows, closedDates }: Schedule): ScheduleMessage => ({
  timezone,
  windows: windows.map(({ days, start, end }) => ({ days: [...days], start, end })),
  closed_dates: [...closedDates],
})

/** The judgement of coverage, point by point. */
export const coverageMessage = ({ points, card, reason }: Coverage): CheckCoverageResponse => ({
  covered: reason === null,
  points: points.map((point) => ({
    point: point.name,
    lat: point.lat,
    lng: point.lng,
    covered: point.reason === null,
    zone: point.zone ?? undefined,
    platform_geofence: point.geofence ?? undefined,
    reason: point.reason ?? undefined,
  })),
  rate_card: card ? { id: card.id, name: card.name, currency: card.currency } : undefined,
  reason: reason ?? undefined,
})
