import type { Database } from '@svc/database'
import type { Vehicle } from '@svc/parcel'
import type { Point, Survey } from '../domain/coverage.ts'

interface Question {
  /** null: the zones and cards of the platform alone. */
  merchantId: string | null
  vehicle: Vehicle
  points: readonly Point[]
  /** The ways from the first of these to each of the others are measured. */
  from: Point | null
  to: readonly Point[]
}

export interface Findings extends Survey {
  /** By the clock of the database. */
  now: Date
  /** Shortest lines over the ellipsoid, in the order of the destinations. */
  metres: number[]
}

const SQL = 'SELECT * FROM survey_delivery($1, $2, $3, $4, $5, $6, $7, $8)'

/**
 * All that coverage and price need, in one statement and as of one moment. It runs as the worker role: under row
 * security the planner may not use the spatial index, whose operators are not leakproof.
 */
export async function survey({ worker }: Pick<Database, 'worker'>, question: Question): Promise<Findings> {
  const { merchantId, vehicle, points, from, to } = question
  const { rows } = await worker.query<Findings>({ name: 'survey_delivery', text: SQL }, [
    merchantId,
    vehicle,
    points.map(({ lng }) => lng),
    points.map(({ lat }) => lat),
    from?.lng ?? 0,
    from?.lat ?? 0,
    to.map(({ lng }) => lng),
    to.map(({ lat }) => lat),
  ])
  return rows[0] as Findings
}
