import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { eventually, type Mesh, mesh } from '@svc/testing'
import { startPrometheus } from './prometheus.ts'

/**
 * Causes what alerts are for, in a mesh with servers of its own that a real Prometheus watches: each alert must fire, for the
 * process that its page speaks of, and end once the fault is mended as the page says. In time-lapse, within minutes.
 *
 *   node --conditions=source tests/rehearsals/run.ts [alert]
 */
interface Rehearsal {
  alert: string
  job?: string
  cause: (system: Mesh) => Promise<unknown>
  mend: (system: Mesh) => Promise<unknown>
}

const frozen = (name: string) => ({
  cause: (system: Mesh) => system.kill(name, 'SIGSTOP'),
  mend: (system: Mesh) => system.kill(name, 'SIGCONT'),
})

/** A server is frozen with the processes that it has made: those of a database go on serving whom they serve. */
function frozenWhole(name: string): Pick<Rehearsal, 'cause' | 'mend'> {
  const signal = (sent: NodeJS.Signals) => async (system: Mesh) => {
    const file = system.pidFiles().find((path) => basename(path) === `${name}.pid`)
    const pid = Number.parseInt(readFileSync(file!, 'utf8'), 10)
    const made = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    for (const one of [pid, ...made]) process.kill(one, sent)
  }
  return { cause: signal('SIGSTOP'), mend: signal('SIGCONT') }
}

/** The provider signs with another key than ours, hook after hook, until the right one is set. */
function wronglySigned(): Pick<Rehearsal, 'cause' | 'mend'> {
  let hooks: NodeJS.Timeout | undefined
  const headers = { 'content-type': 'application/json', 'x-payments-a-signature': '0'.repeat(128) }
  return {
    cause: async ({ baseUrl }) => {
      const post = () => fetch(`${baseUrl}/webhooks/payments-a/platform`, { method: 'POST', headers, body: '{}' })
      hooks = setInterval(() => void post().catch(() => undefined), 2_000)
    },
    mend: async () => clearInterval(hooks),
  }
}

const REHEARSALS: readonly Rehearsal[] = [
  { alert: 'KafkaUnreachable', job: 'order', ...frozen('kafka') },
  { alert: 'RedisUnreachable', job: 'gateway', ...frozen('redis') },
  { alert: 'DatabaseUnreachable', job: 'wallet', ...frozenWhole('postgres') },
  { alert: 'ProcessAway', job: 'dispatch', ...frozen('dispatch') },
  { alert: 'HooksRefused', ...wronglySigned() },
]

/** Scrapes, evaluation and the longest wait of a rule, which is 15 minutes in time-lapse. */
const WITHIN_MS = 300_000

const chosen = process.argv[2]
const system = await mesh({ ownServers: true, spans: false })
const prometheus = await startPrometheus(join(system.folder, 'prometheus'), system.metricsUrls)
const secondsUntil = async (fact: () => Promise<boolean>, what: string): Promise<number> => {
  const since = performance.now()
  await eventually(
    async () => {
      if (!(await fact())) throw new Error(what)
    },
    { timeoutMs: WITHIN_MS },
  )
  return Math.round((performance.now() - since) / 1_000)
}

const rows: object[] = []
try {
  await secondsUntil(async () => (await prometheus.firing()).length === 0, 'alerts fire before anything is wrong')
  for (const { alert, job, cause, mend } of REHEARSALS.filter((one) => !chosen || one.alert === chosen)) {
    const fires = async () =>
      (await prometheus.firing()).some((one) => one.alert === alert && (job === undefined || one.job === job))
    if (await fires()) throw new Error(`${alert} fires before anything is wrong`)
    await cause(system)
    const firedAfter = await secondsUntil(fires, `${alert} does not fire`)
    await mend(system)
    const endedAfter = await secondsUntil(async () => !(await fires()), `${alert} does not end`)
    console.log(`${alert}: fired after ${firedAfter} s, ended after ${endedAfter} s`)
    rows.push({ alert, job: job ?? '', 'fired after s': firedAfter, 'ended after s': endedAfter })
  }
} finally {
  console.table(rows)
  await prometheus.stop()
  await system.stop()
}
