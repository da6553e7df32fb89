import { inOwnMesh } from './in-own-mesh.ts'
import { runChaos } from './scenario.ts'

/**
 * Two minutes of orders while the order service, the webhook service and Kafka are killed with SIGKILL in turn.
 *
 *   node --conditions=source tests/chaos/run.ts [seconds]
 */
const seconds = Number(process.argv[2] ?? 120)
const plan = { loadMs: seconds * 1_000, killEveryMs: 8_000, victims: ['order', 'webhook', 'kafka'], clients: 20 }
const figures = await inOwnMesh({}, (system) => runChaos(system, plan))
const { missing, outOfOrder, doubledEvents, changedBodies, ...counts } = figures
console.log({
  ...counts,
  missing: missing.length,
  outOfOrder: outOfOrder.length,
  doubledEvents: doubledEvents.length,
  changedBodies: changedBodies.length,
})
process.exitCode = missing.length + outOfOrder.length + doubledEvents.length + changedBodies.length > 0 ? 1 : 0
