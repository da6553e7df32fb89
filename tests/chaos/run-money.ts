import { inOwnMesh } from './in-own-mesh.ts'
import { MONEY_ENVIRONMENT, runMoneyChaos } from './money-scenario.ts'

/**
 * Two minutes of orders, commissions, top-ups and withdrawals while the order service, the wallet service and Postgres
 * are killed with SIGKILL in turn.
 *
 *   node --conditions=source tests/chaos/run-money.ts [seconds]
 */
const seconds = Number(process.argv[2] ?? 120)
const plan = {
  loadMs: seconds * 1_000,
  killEveryMs: 8_000,
  victims: ['order', 'wallet', 'postgres'],
  clients: 8,
  merchants: 4,
}
const figures = await inOwnMesh(MONEY_ENVIRONMENT, (system) => runMoneyChaos(system, plan))
console.log(figures)
const { lost, doubled, wrongBalances, violations, negative, openIntents } = figures
const faults = lost.length + doubled.length + wrongBalances.length + violations.length + negative + openIntents
process.exitCode = faults > 0 ? 1 : 0
