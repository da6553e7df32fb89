import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Part } from './part.ts'

export type Readiness = { status: 'ok' | 'degraded' | 'unavailable'; checks: Record<string, string> }

export interface Service {
  start(): Promise<void>
  stop(): Promise<void>
  ready(): Promise<Readiness>
  /** Whether it takes traffic: all its parts run and it is not about to stop, whatever other processes do. */
  serving(): boolean
  /** From now on it says that it does not serve, and still does: callers have until stop() to go elsewhere. */
  drain(): void
}

export interface Check {
  required: boolean
  /** How long the probe may take; 2 s unless given. */
  timeoutMs?: number
  probe(): Promise<void>
}

type Phase = 'new' | 'starting' | 'running' | 'draining' | 'stopping' | 'stopped'

const PROBE_TIMEOUT_MS = 2_000
/** Less than a gauge may take: a probe that hangs is shown as one that failed. */
const SCRAPE_PROBE_TIMEOUT_MS = 1_500
const logger = createLogger('lifecycle')

/**
 * A service of parts: started in order, stopped in reverse after readiness has turned to unavailable. A part that fails to start
 * stops those before it; a part that fails to stop does not keep the others from stopping.
 */
export function composeService(parts: Part[], options: { checks: Record<string, Check> }): Service {
  const started: Part[] = []
  let phase: Phase = 'new'
  let starting: Promise<void> = Promise.resolve()
  let stopping: Promise<void> | undefined
  const failing = new Set<string>()
  let endGauge: (() => void) | undefined

  async function startParts(): Promise<void> {
    phase = 'starting'
    for (const part of parts) {
      if (stopping) return
      started.push(part)
      await part.start?.()
    }
    if (stopping) return
    phase = 'running'
    endGauge = metrics.gauge(
      'health_check',
      'Whether a server or service that this process needs answers: 1 or 0',
      () => observeChecks(options.checks, failing),
    )
  }

  async function stopParts(): Promise<void> {
    phase = 'stopping'
    endGauge?.()
    await starting.catch(() => {})
    const failures = await stopInReverse(started)
    phase = 'stopped'
    if (failures.length > 0) throw new AggregateError(failures, 'Some parts did not stop cleanly')
  }

  const stop = () => (stopping ??= stopParts())

  return {
    stop,
    serving: () => phase === 'running',
    drain() {
      if (phase === 'running') phase = 'draining'
    },
    async start() {
      starting = startParts()
      try {
        await starting
      } catch (error) {
        await stop().catch(() => {})
        throw error
      }
    },
    async ready() {
      return phase === 'running'
        ? probeAll(options.checks, failing)
        : { status: 'unavailable', checks: { lifecycle: phase } }
    },
  }
}

async function stopInReverse(started: Part[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const part of started.toReversed()) {
    try {
      await part.stop?.()
    } catch (err) {
      logger.error({ err, part: part.name }, 'a part did not stop cleanly')
      failures.push(err)
    }
  }
  return failures
}

async function probeAll(checks: Record<string, Check>, failing: Set<string>): Promise<Readiness> {
  const entries = Object.entries(checks)
  const states = await Promise.all(entries.map(([name, check]) => probe(name, check, failing)))
  const failed = entries.filter((_, index) => states[index] !== 'ok')
  const status = failed.length === 0 ? 'ok' : failed.some(([, check]) => check.required) ? 'unavailable' : 'degraded'
  return { status, checks: Object.fromEntries(entries.map(([name], index) => [name, states[index] ?? 'failed'])) }
}

async function observeChecks(checks: Record<string, Check>, failing: Set<string>) {
  const inTime = Object.entries(checks).map(([name, { timeoutMs = PROBE_TIMEOUT_MS, ...check }]) => {
    const bounded = { ...check, timeoutMs: Math.min(timeoutMs, SCRAPE_PROBE_TIMEOUT_MS) }
    return [name, bounded] as const
  })
  const { checks: states } = await probeAll(Object.fromEntries(inTime), failing)
  return Object.entries(states).map(([check, state]) => ({ value: state === 'ok' ? 1 : 0, labels: { check } }))
}

async function probe(name: string, check: Check, failing: Set<string>): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), check.timeoutMs ?? PROBE_TIMEOUT_MS)
  try {
    await Promise.race([check.probe(), late])
    if (failing.delete(name)) logger.info({ check: name }, 'a readiness check passes again')
    return 'ok'
  } catch (err) {
    // Once per outage: a process that waits for readiness asks many times a second.
    if (!failing.has(name)) logger.warn({ err, check: name }, 'a readiness check failed')
    failing.add(name)
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
