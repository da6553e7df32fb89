import type { Scenario } from '@svc/contracts/order/v1/simulator_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type StepRow, stepsOf } from '../domain/scenario.ts'

/** How far a scenario is. */
export function scenarioMessage(orderId: string, rows: readonly StepRow[]): Scenario {
  const [first, second] = rows
  const known = first ? stepsOf(first.scenario) : []
  const steps = rows.map((row) => {
    const step = known[row.step - 1]
    return {
      step: step?.step ?? '',
      fires_at: row.firesAt.toISOString(),
      state: hasFailed(row, step?.isRefused) ? 'failed' : row.state,
      ended_at: row.endedAt?.toISOString(),
      error: row.error ?? undefined,
    }
  })
  return {
    order_id: orderId,
    scenario: first?.scenario ?? '',
    state: stateOf(steps),
    step_delay_ms: first && second ? second.firesAt.getTime() - first.firesAt.getTime() : 0,
    simulator_rider_id: SANDBOX_RIDER.id,
    steps,
  }
}

/** A refusal fails a step that is not there to be refused, and its absence one that is. */
const hasFailed = ({ state, error }: StepRow, isRefused = false): boolean =>
  state === 'done' && (error !== null) !== isRefused

function stateOf(steps: ReadonlyArray<{ state: string }>): string {
  if (steps.some(({ state }) => state === 'pending')) return 'running'
  return steps.every(({ state }) => state === 'done') ? 'completed' : 'stopped'
}
