import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { nextStepInMs } from '../db/scenario-steps.ts'
import { playScenarioStep } from '../use-cases/play-scenario-step.ts'

/** The steps in the database are the truth: they are looked at this often even when nothing wakes the worker. */
const POLL_MS = 1_000
/** Steps that are played side by side: each may wait for dispatch. */
const LANES = 4

/** Plays due steps of scenarios, overdue ones first; many replicas may run at once. */
export const scenarioWorker = (context: () => Context): Worker =>
  worker({
    name: 'scenario-worker',
    lanes: LANES,
    pollMs: POLL_MS,
    failed: 'scenarios could not go on; what is due stays due',
    work: () => playScenarioStep(context()),
    nextDueInMs: () => context().transact('every tenant', nextStepInMs),
  })
