import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { createLogger } from '@svc/logging'
import { shutdownTelemetry } from '@svc/telemetry'
import type { Service } from './service.ts'

/** For how long a process tries to stop by itself. */
export const STOP_LIMIT_MS = 25_000
const logger = createLogger('lifecycle')

/**
 * Runs the service as this process: starts it, stops it once on SIGTERM or SIGINT and exits 0. A failed start, an
 * uncaught error or a stop that takes over 25 seconds exits 1; spans are flushed last.
 *
 * `drainDelayMs` is how long it goes on serving after the signal, saying that it does not: as long as load balancers and
 * callers may take to notice.
 */
export async function run(service: Service, { drainDelayMs = 0 } = {}): Promise<void> {
  // What most places in the code make lives as long as a request: where a burst has outlived a collection, V8 would have all of
  // it born old from then on, and old garbage is what costs most (docs/decisions/0031).
  setFlagsFromString('--no-allocation-site-pretenuring')
  let exiting = false

  async function exit(code: number): Promise<void> {
    if (exiting) return
    exiting = true
    const limit = setTimeout(() => {
      logger.fatal('stopping took too long')
      process.exit(1)
    }, STOP_LIMIT_MS)
    limit.unref()
    const stopped = await settled(service.stop())
    await settled(shutdownTelemetry())
    process.exit(stopped ? code : 1)
  }

  let leaving = false

  async function leave(): Promise<void> {
    if (leaving) return
    leaving = true
    // Nobody has been told of one that does not serve yet.
    const isKnown = service.serving()
    service.drain()
    if (isKnown && drainDelayMs > 0) await wait(drainDelayMs)
    await exit(0)
  }

  process.on('SIGTERM', () => void leave())
  process.on('SIGINT', () => void leave())
  process.on('uncaughtException', (err, origin) => {
    logger.fatal({ err, origin }, 'an error that nothing handled')
    void exit(1)
  })

  try {
    await service.start()
    logger.info('started')
  } catch (err) {
    logger.fatal({ err }, 'the service did not start')
    await exit(1)
  }
}

async function settled(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (err) {
    logger.error({ err }, 'stopping failed')
    return false
  }
}
