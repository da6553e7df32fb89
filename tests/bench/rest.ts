import { setTimeout as wait } from 'node:timers/promises'
import { mesh } from '@svc/testing'
import { countStatements } from './counted-statements.ts'
import { cpuMs, perOperation, total } from './cpu.ts'
import { platform, rounded, table } from './report.ts'

/**
 * What a mesh uses while nobody calls: CPU of each process, and the statements that its polls and chores make, by service.
 * Ends with 1 where it is more than the goal.
 *
 *   node --conditions=source tests/bench/rest.ts [seconds at rest] [seconds before]
 */
const [seconds = 60, settling = 35] = process.argv.slice(2).map(Number)
/** Of one core, without Kafka. */
const GOAL_PERCENT = 10
const SHOWN = 12

const system = await mesh({ ownServers: true, spans: false })
try {
  const counted = await countStatements(system)
  await wait(settling * 1_000)
  await counted.reset()
  const before = cpuMs(system)
  await wait(seconds * 1_000)
  // A per cent of a core is ten milliseconds of each second.
  const { kafka = 0, load: _, ...share } = perOperation(before, cpuMs(system), seconds * 10)
  const all = total(share)
  console.log(platform())
  const parts = Object.entries(share).toSorted(([, a], [, b]) => b - a)
  console.log(`at rest for ${seconds} s, per cent of one core, without Kafka (${rounded(kafka, 1)}):`)
  console.log(
    table(['all', ...parts.map(([name]) => name)], [[rounded(all, 2), ...parts.map(([, value]) => rounded(value, 2))]]),
  )
  for (const service of counted.services) await show(service)
  process.exitCode = all < GOAL_PERCENT ? 0 : 1

  async function show(service: string): Promise<void> {
    const rows = await counted.sql(
      service,
      `SELECT r.rolname, s.calls, s.total_exec_time AS ms, regexp_replace(s.query, '\\s+', ' ', 'g') AS query
         FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid JOIN pg_database d ON d.oid = s.dbid
        WHERE d.datname = current_database() AND s.toplevel ORDER BY s.calls DESC`,
    )
    const calls = rows.reduce((sum, row) => sum + Number(row['calls']), 0)
    console.log(`\n## ${service}: ${rounded(calls / seconds, 1)} statements a second`)
    console.log(
      table(
        ['role', 'a second', 'µs each', 'statement'],
        rows
          .slice(0, SHOWN)
          .map(({ rolname, calls: each, ms, query }) => [
            rolname.replace(`${service}_`, ''),
            rounded(each / seconds, 2),
            rounded((1_000 * ms) / each),
            query.slice(0, 110),
          ]),
      ),
    )
  }
} finally {
  await system.stop()
}
