import { mesh } from '@svc/testing'
import { openRateCard, placed } from '../journeys/fleet.ts'
import { Api, orderBody } from '../journeys/merchant.ts'
import { type CountedStatements, countStatements } from './counted-statements.ts'
import { cpuMs, perOperation, sessionsCpuMs } from './cpu.ts'
import { mintKeys } from './keys.ts'
import { loadOrders } from './load.ts'
import { platform, rounded, table } from './report.ts'
import { takenOver } from './taken-over.ts'

/**
 * What an order costs in Postgres, by service: the statements that take most of its time, by pg_stat_statements, those
 * within functions too; and the tables that are read whole. From empty tables, as after a deployment: plans that are made
 * for those show here. Statements, rows and blocks are the same on a busy machine, times are not.
 *
 *   node --conditions=source tests/bench/spent.ts [seconds] [clients] [seconds to look on] [plain]
 *
 * `plain`: orders without coordinates, for which nothing is priced and no rider is looked for.
 */
const [seconds = 20, connections = 20, lookOnSeconds = 40] = process.argv.slice(2, 5).map(Number)
const order = process.argv[5] === 'plain' ? orderBody() : placed()
const SHOWN = 14

const system = await mesh({ ownServers: true, spans: false })
const allTakenOver = takenOver(system)

try {
  const counted = await countStatements(system)
  const tokens = await mintKeys(system, 300, { isTest: false })
  const anyone = new Api(system.baseUrl)
  const { body } = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  await openRateCard(anyone.bearing(body.access_token))
  await counted.reset()
  const [before, sessionsBefore] = [cpuMs(system), sessionsCpuMs(system)]
  const { accepted, refused } = await loadOrders({ url: system.baseUrl, connections, seconds, tokens, order })
  await allTakenOver()
  // Riders are looked for after the orders came, and again.
  await new Promise((resolve) => setTimeout(resolve, lookOnSeconds * 1_000))
  console.log(platform())
  console.log(`${accepted} orders, ${refused} refused, from ${connections} clients`)
  const used = Object.entries(perOperation(before, cpuMs(system), accepted))
  console.log(`CPU ms an order: ${used.map(([name, ms]) => `${name} ${rounded(ms, 2)}`).join(', ')}`)
  const sessions = Object.entries(perOperation(sessionsBefore, sessionsCpuMs(system), accepted))
  console.log(
    table(
      ['sessions of Postgres', 'CPU µs an order'],
      sessions.map(([name, ms]) => [name, rounded(1_000 * ms)]),
    ),
  )
  for (const service of counted.services) await show(counted, service, accepted)
} finally {
  await allTakenOver.close()
  await system.stop()
}

async function show({ sql }: CountedStatements, service: string, orders: number): Promise<void> {
  const roles = await sql(
    service,
    `SELECT r.rolname, sum(s.total_exec_time + s.total_plan_time) / $1 AS ms, sum(s.total_plan_time) / $1 AS planned, sum(s.calls) / $1 AS calls
       FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid JOIN pg_database d ON d.oid = s.dbid
      WHERE d.datname = current_database() AND s.toplevel GROUP BY 1 ORDER BY 2 DESC`,
    [orders],
  )
  const statements = await sql(
    service,
    `SELECT r.rolname, s.toplevel, s.calls, s.total_exec_time + s.total_plan_time AS ms, s.total_plan_time AS planned, s.shared_blks_hit + s.shared_blks_read AS blocks,
            regexp_replace(s.query, '\\s+', ' ', 'g') AS query
       FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid JOIN pg_database d ON d.oid = s.dbid
      WHERE d.datname = current_database() ORDER BY s.total_exec_time + s.total_plan_time DESC LIMIT $1`,
    [SHOWN],
  )
  const scans = await sql(
    service,
    `SELECT relname, seq_scan, seq_tup_read, idx_scan, n_live_tup FROM pg_stat_user_tables
      WHERE seq_tup_read > 1000 ORDER BY seq_tup_read DESC LIMIT 8`,
  )
  const unread = await sql(
    service,
    `SELECT relname, count(*)::int AS entered, string_agg(indexrelname, ', ' ORDER BY indexrelname) FILTER (WHERE i.idx_scan = 0) AS unread
       FROM pg_stat_user_indexes i JOIN pg_stat_user_tables t USING (relid, relname)
      WHERE t.n_tup_ins + t.n_tup_upd > $1 GROUP BY relname ORDER BY 2 DESC`,
    [Math.round(orders / 2)],
  )
  console.log(`\n## ${service}: an order`)
  console.log(
    table(
      ['role', 'µs', 'of it planning', 'statements'],
      roles.map(({ rolname, ms, planned, calls }) => [
        rolname,
        rounded(1_000 * ms),
        rounded(1_000 * planned),
        rounded(Number(calls), 2),
      ]),
    ),
  )
  console.log(
    table(
      ['role', 'within', 'calls', 'µs an order', 'of it planning', 'blocks a call', 'statement'],
      statements.map(({ rolname, toplevel, calls, ms, planned, blocks, query }) => [
        rolname.replace(`${service}_`, ''),
        toplevel ? '' : 'a function',
        rounded(calls / orders, 3),
        rounded((1_000 * ms) / orders, 1),
        rounded((1_000 * planned) / orders, 1),
        rounded(blocks / calls, 1),
        query.slice(0, 110),
      ]),
    ),
  )
  console.log(
    table(
      ['table written', 'indexes', 'of them read by nobody meanwhile'],
      unread.map((row) => [row.relname, row.entered, row.unread ?? '']),
    ),
  )
  console.log(
    table(
      ['table read whole', 'times', 'rows an order', 'by index', 'rows'],
      scans.map((row) => [
        row.relname,
        row.seq_scan,
        rounded(row.seq_tup_read / orders, 1),
        row.idx_scan ?? 0,
        row.n_live_tup,
      ]),
    ),
  )
}
