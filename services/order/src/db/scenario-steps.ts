import { randomUUID } from 'node:crypto'
import type { Actor } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import { type Scenario, type StepRow, stepsOf } from '../domain/scenario.ts'

interface Started {
  orderId: string
  merchantId: string
  scenario: Scenario
  startedBy: Actor
  stepDelayMs: number
}

/** Adds the steps of a scenario, the first of them one step delay from now. The caller holds the lock of the order. */
export async function addSteps(
  tx: Tx,
  { orderId, merchantId, scenario, startedBy, stepDelayMs }: Started,
): Promise<void> {
  const steps = stepsOf(scenario).map((_, index) => index + 1)
  await tx.sql(
    `INSERT INTO sim_timer (order_id, merchant_id, step, fires_at, scenario, started_by)
     SELECT $1, $2, step, fires_at, $5, $6 FROM unnest($3::smallint[], $4::timestamptz[]) AS t (step, fires_at)`,
    [
      orderId,
      merchantId,
      steps,
      steps.map((step) => new Date(tx.now.getTime() + step * stepDelayMs)),
      scenario,
      JSON.stringify(startedBy),
    ],
  )
}

/** The steps of the order's scenario; null where it has none. `automatic` where it progresses by itself. */
export async function scenarioOf(tx: Tx, orderId: string): Promise<StepRow[] | 'automatic' | null> {
  const { rows } = await tx.sql<StepRow>(
    `SELECT scenario, step, fires_at AS "firesAt", state, ended_at AS "endedAt", error
       FROM sim_timer WHERE order_id = $1 ORDER BY step`,
    [orderId],
  )
  if (rows.length === 0) return null
  return rows[0]?.scenario ? rows : 'automatic'
}

/** A step that is to be played now, and by nobody else as long as the lease lasts. */
export interface ClaimedStep {
  orderId: string
  merchantId: string
  scenario: Scenario
  step: number
  startedBy: Actor
  /** Between this step and the next; 0 after the last. */
  nextInMs: number
  lease: string
}

/** Takes the step that has been due longest under a lease, none before those before it; null when none is due. */
export async function claimStep(tx: Tx, leaseSeconds: number): Promise<ClaimedStep | null> {
  const { rows } = await tx.sql<ClaimedStep>(
    `UPDATE sim_timer t SET lease = $2, lease_until = $1::timestamptz + make_interval(secs => $3)
      WHERE (t.order_id, t.step) = (
        SELECT order_id, step FROM sim_timer due
         WHERE state = 'pending' AND scenario IS NOT NULL AND fires_at <= $1
           AND (lease_until IS NULL OR lease_until <= $1)
           AND NOT EXISTS (SELECT FROM sim_timer b
                            WHERE b.order_id = due.order_id AND b.step < due.step AND b.state = 'pending')
         ORDER BY fires_at, step LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING order_id AS "orderId", merchant_id AS "merchantId", scenario, step, started_by AS "startedBy", lease,
        (SELECT coalesce(extract(epoch FROM n.fires_at - t.fires_at) * 1000, 0)::float8 FROM sim_timer n
          WHERE n.order_id = t.order_id AND n.step = t.step + 1) AS "nextInMs"`,
    [tx.now, randomUUID(), leaseSeconds],
  )
  return rows[0] ?? null
}

/** The step was played, or refused by `error`; then those after it are skipped, unless it was there to be refused. */
export async function endStep(
  tx: Tx,
  { orderId, step, lease }: ClaimedStep,
  { error, goesOn }: { error: string | null; goesOn: boolean },
): Promise<void> {
  const { rowCount } = await tx.sql(
    `UPDATE sim_timer SET state = 'done', error = $4, ended_at = $5, lease = NULL, lease_until = NULL
      WHERE order_id = $1 AND step = $2 AND lease = $3 AND state = 'pending'`,
    [orderId, step, lease, error, tx.now],
  )
  if (rowCount === 0 || goesOn) return
  await tx.sql(`UPDATE sim_timer SET state = 'skipped' WHERE order_id = $1 AND step > $2 AND state = 'pending'`, [
    orderId,
    step,
  ])
}

/** Nothing is known of what came of it: it is played again after so long. */
export async function postponeStep(tx: Tx, { orderId, step, lease }: ClaimedStep, seconds: number): Promise<void> {
  await tx.sql(
    `UPDATE sim_timer SET lease_until = $4::timestamptz + make_interval(secs => $5)
      WHERE order_id = $1 AND step = $2 AND lease = $3`,
    [orderId, step, lease, tx.now, seconds],
  )
}

/** Milliseconds until the next step can be taken, which none can before those before it; null when none is open. */
export async function nextStepInMs(tx: Tx): Promise<number | null> {
  const { rows } = await tx.sql<{ at: Date | null }>(
    `SELECT min(greatest(fires_at, lease_until)) AS at FROM sim_timer due
      WHERE state = 'pending' AND scenario IS NOT NULL
        AND NOT EXISTS (SELECT FROM sim_timer b
                         WHERE b.order_id = due.order_id AND b.step < due.step AND b.state = 'pending')`,
  )
  const at = rows[0]?.at
  return at ? at.getTime() - tx.now.getTime() : null
}
