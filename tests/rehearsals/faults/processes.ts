import { readFileSync } from 'node:fs'
import { eventually } from '@svc/testing'
import type pg from 'pg'
import { orderBody } from '../../journeys/merchant.ts'
import type { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'

/** Of a process that gets a sixth of what it wants, half a second each. */
const HELD_MS = 500
const RUNS_MS = 100

/** Runs an expression in a process that runs, as a debugger does: Node listens for one from this signal on. */
async function evaluate(stage: Stage, name: string, expression: string): Promise<void> {
  process.kill(stage.pidOf(name), 'SIGUSR1')
  const log = stage.system.logFiles().find((file) => file.endsWith(`/${name}.log`)) as string
  const found = await eventually(() => readFileSync(log, 'utf8').match(/Debugger listening on (ws:\S+)/g) ?? false)
  const socket = new WebSocket(found.at(-1)!.slice('Debugger listening on '.length))
  await new Promise<void>((done, fail) => {
    socket.onerror = () => fail(new Error(`the debugger of ${name} does not answer`))
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
    socket.onmessage = () => done()
  })
  socket.close()
}

export const PROCESSES: readonly Fault[] = [
  {
    name: 'process-frozen',
    what: 'dispatch is stopped by SIGSTOP',
    watched: [{ alert: 'ProcessAway', job: 'dispatch', section: 'processes.md#processaway' }],
    async cause(stage) {
      await stage.system.kill('dispatch', 'SIGSTOP')
      return async () => {
        await stage.follow('processes.md#processaway', { service: 'dispatch' })
        await stage.system.kill('dispatch', 'SIGCONT')
      }
    },
  },
  {
    name: 'process-throttled',
    what: 'order runs for a tenth of a second and is held for half a second, as a limit of CPU does it',
    watched: [
      { alert: 'EventLoopBlocked', job: 'order', section: 'processes.md#eventloopblocked' },
      { alert: 'RequestsSlowFast', section: 'budgets.md#what-to-do' },
      { alert: 'RequestsSlowSteadily', section: 'budgets.md#what-to-do' },
    ],
    async cause(stage) {
      const { test } = await stage.merchant()
      const pid = stage.pidOf('order')
      const reads = stage.repeat(250, () => test.get('/v1/orders?limit=1'))
      const held = stage.repeat(HELD_MS + RUNS_MS, async () => {
        process.kill(pid, 'SIGSTOP')
        setTimeout(() => process.kill(pid, 'SIGCONT'), HELD_MS)
      })
      return async () => {
        await stage.follow('processes.md#eventloopblocked', { service: 'order' })
        await stage.follow('budgets.md#what-to-do')
        held()
        reads()
        setTimeout(() => process.kill(pid, 'SIGCONT'), HELD_MS + RUNS_MS)
      }
    },
  },
  {
    name: 'certificate-old',
    what: 'the certificate of order is replaced by one that lasts for three days',
    watched: [{ alert: 'CertificateEnds', job: 'order', section: 'processes.md#certificateends' }],
    async cause(stage) {
      const { certificates } = stage
      certificates.signFor(certificates.first, 'order', 3)
      return async () => {
        await stage.follow('processes.md#certificateends', { service: 'order' })
        certificates.signFor(certificates.first, 'order')
      }
    },
  },
  {
    name: 'clock-wrong',
    what: 'the clock of the gateway goes two minutes ahead',
    watched: [{ alert: 'ClockSkew', section: 'clocks.md#clockskew' }],
    async cause(stage) {
      const { test } = await stage.merchant()
      const reads = stage.repeat(1_000, () => test.get('/v1/orders?limit=1'))
      await evaluate(stage, 'gateway', 'globalThis.trueNow = Date.now; Date.now = () => trueNow() + 120_000')
      return async () => {
        await stage.follow('clocks.md#clockskew')
        await evaluate(stage, 'gateway', 'Date.now = trueNow')
        reads()
      }
    },
  },
]

/** What a person began in `psql` and left; answers the id of its session. */
export async function leaveOpen(stage: Stage, service: string, ...statements: string[]): Promise<string> {
  const session = await stage.session(service)
  await session.query('BEGIN')
  for (const statement of statements) await session.query(statement)
  return pidOf(session)
}

/** The same with a row that workers take, too: what dates it back is repeated until the session got hold of it before them. */
export const holdRow = (stage: Stage, service: string, back: string, select: string): Promise<string> =>
  eventually(async () => {
    await stage.sql(service, back)
    const session = await stage.session(service)
    await session.query('BEGIN')
    if ((await session.query(select)).rowCount) return await pidOf(session)
    await session.end()
    return false
  }) as Promise<string>

const pidOf = async (session: pg.Client): Promise<string> =>
  (await session.query('SELECT pg_backend_pid()::text AS pid')).rows[0].pid

export const SESSIONS: readonly Fault[] = [
  {
    name: 'table-locked',
    what: 'a session that somebody left open holds the table of orders',
    watched: [{ alert: 'PoolExhausted', job: 'order', section: 'processes.md#poolexhausted' }],
    async cause(stage) {
      const { test } = await stage.merchant()
      const pid = await leaveOpen(stage, 'order', 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE')
      const calls = stage.repeat(100, () => test.post('/v1/orders', orderBody()))
      return async () => {
        await stage.follow('processes.md#poolexhausted', { service: 'order', pid })
        calls()
      }
    },
  },
  {
    name: 'row-locked',
    what: 'a session that somebody left open holds a row that should have gone days ago, as it is dated',
    watched: [
      { alert: 'ExpiredRowsStay', section: 'expired-rows.md#what-to-do' },
      { alert: 'LoggedAlert', section: 'processes.md#loggedalert' },
    ],
    async cause(stage) {
      const insert = `INSERT INTO code_merchants VALUES (gen_random_uuid(), current_date - 5, 0)`
      const pid = await holdRow(stage, 'dispatch', insert, 'SELECT FROM code_merchants WHERE sent = 0 FOR UPDATE')
      return async () => {
        await stage.follow('expired-rows.md#what-to-do', { service: 'dispatch', table: 'code_merchants', pid })
      }
    },
  },
]
