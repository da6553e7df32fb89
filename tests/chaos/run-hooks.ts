import { HOOKS_ENVIRONMENT, runHooksChaos } from './hooks-scenario.ts'
import { inOwnMesh } from './in-own-mesh.ts'

/**
 * Three minutes of hooks of several channels, Kafka away for one of them, while ingestion and Postgres are killed with
 * SIGKILL.
 *
 *   node --conditions=source tests/chaos/run-hooks.ts [seconds]
 */
const seconds = Number(process.argv[2] ?? 180)
const plan = { loadMs: seconds * 1_000, clients: 8, kafkaAwayMs: (seconds * 1_000) / 3 }
const figures = await inOwnMesh(HOOKS_ENVIRONMENT, (system) => runHooksChaos(system, plan))
const { lost, doubled, ...counts } = figures
console.log({ ...counts, lost: lost.length, doubled: doubled.length })
process.exitCode = lost.length + doubled.length + figures.unjudged > 0 ? 1 : 0
