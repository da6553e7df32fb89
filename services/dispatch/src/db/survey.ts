import { batched, type Database } from '@svc/database'
import type { Vehicle } from '@svc/parcel'
import { DatabaseError } from 'pg'
import type { Point, Survey } from '../domain/coverage.ts'

export interface Question {
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
  /** The merchant delivers by its own fleet; one that is not known yet does not. */
  isOwnFleet: boolean
  /** Shortest lines over the ellipsoid, in the order of the destinations. */
  metres: number[]
}

/** Finds out about one delivery. */
export type Surveys = (question: Question) => Promise<Findings>

const SQL = 'SELECT * FROM survey_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ORDER BY nth'
const MAX_TOGETHER = 32

/** All that coverage and price need, in one statement and as of one moment. */
export async function survey(database: Pick<Database, 'worker'>, question: Question): Promise<Findings> {
  const [found] = await surveyTogether(database, [question])
  return found as Findings
}

/**
 * It runs as the worker role: under row security the planner may not use the spatial index, whose operators are not
 * leakproof.
 */
async function surveyTogether(
  { worker }: Pick<Database, 'worker'>,
  questions: readonly Question[],
): Promise<readonly Findings[]> {
  const points = questions.flatMap((question) => question.points)
  const to = questions.flatMap((question) => question.to)
  const { rows } = await worker.query<Findings>({ name: 'survey_deliveries', text: SQL }, [
    questions.map(({ merchantId }) => merchantId),
    questions.map(({ vehicle }) => vehicle),
    questions.map(({ from }) => from?.lng ?? 0),
    questions.map(({ from }) => from?.lat ?? 0),
    questions.map((question) => question.points.length),
    points.map(({ lng }) => lng),
    points.map(({ lat }) => lat),
    questions.map((question) => question.to.length),
    to.map(({ lng }) => lng),
    to.map(({ lat }) => lat),
  ])
  return rows
}

/** As orders and quotes ask, of two points at most: those that ask while a statement is under way share the next. */
export function surveys(database: Pick<Database, 'worker'>): Surveys {
  return batched<Question, Findings>({
    limit: MAX_TOGETHER,
    alone: (question) => survey(database, question),
    together: (questions) => surveyTogether(database, questions),
    // Where the database is away it would be asked once for each.
    isUndone: (error) => error instanceof DatabaseError,
  })
}
