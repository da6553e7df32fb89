import type { PositionPoint } from '@svc/contracts/dispatch/v1/position_service'
import type * as z from 'zod'
import type { positions } from '../../schemas/position.ts'

type Body = z.output<typeof positions>
type Measured = Omit<NonNullable<Body['points']>[number], 'lat' | 'lng'>

/** The points of a report, be it one or many. */
export const pointsOf = ({ points, lat, lng, ...measured }: Body): PositionPoint[] =>
  (points ?? [{ lat: lat as number, lng: lng as number, ...measured }]).map(pointOf)

const pointOf = ({ lat, lng, ...measured }: { lat: number; lng: number } & Measured): PositionPoint => ({
  lat,
  lng,
  accuracy_m: measured.accuracy_m ?? undefined,
  speed_mps: measured.speed_mps ?? undefined,
  heading_deg: measured.heading_deg ?? undefined,
  recorded_at: measured.recorded_at ?? undefined,
  battery_pct: measured.battery_pct ?? undefined,
})
