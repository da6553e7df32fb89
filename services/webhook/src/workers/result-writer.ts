import type { Database } from '@svc/database'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { attemptsUnderLease, completeDeliveries, type Finished } from '../db/queue.ts'
import { judgeAttempt } from '../domain/retry-schedule.ts'

const RETRY_MS = 500
const MAX_BATCH = 500

const logger = createLogger('webhook.results')
const attempted = metrics.counter('webhook_attempts_total', 'HTTP attempts by what they meant for the delivery')

export interface ResultWriter {
  add(finished: Finished): void
  /** Resolves when everything added so far is stored, or when a last try has failed. */
  drain(): Promise<void>
}

/**
 * Stores results in bulk: whatever arrives while one write runs goes into the next. A failed write is repeated; a result
 * that is lost with the process costs one repeated attempt, never a delivery.
 */
export function resultWriter(options: { database: Database; maxAttempts: number; stored: () => void }): ResultWriter {
  const { database, maxAttempts } = options
  const waiting: Finished[] = []
  let writing: Promise<void> | null = null
  let draining = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH)
      try {
        await store(database, maxAttempts, batch)
        options.stored()
      } catch (err) {
        logger.error({ err, results: batch.length }, 'results could not be stored')
        if (draining) return
        waiting.unshift(...batch)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  const start = () => {
    writing ??= writeAll().finally(() => {
      writing = null
      if (waiting.length > 0 && !draining) start()
    })
  }

  return {
    add(finished) {
      waiting.push(finished)
      start()
    },
    async drain() {
      draining = true
      if (waiting.length > 0) start()
      await writing
    },
  }
}

async function store(database: Database, maxAttempts: number, batch: readonly Finished[]): Promise<void> {
  const judged = batch.map((entry) => ({ ...entry, verdict: judgeAttempt(entry.result, entry.attempt, maxAttempts) }))
  const counted = await completeDeliveries(database, judged)
  for (const { id, verdict } of judged) {
    if (counted.has(id)) attempted.add(1, { outcome: verdict.status === 'pending' ? 'retried' : verdict.status })
  }
  const rest = batch.filter(({ id }) => !counted.has(id))
  if (rest.length === 0) return
  const attempts = await attemptsUnderLease(database, rest)
  const reset = rest.flatMap((entry) => {
    const made = attempts.get(entry.id)
    return made === undefined ? [] : [{ ...entry, attempt: made + 1 }]
  })
  if (reset.length > 0) await store(database, maxAttempts, reset)
}
