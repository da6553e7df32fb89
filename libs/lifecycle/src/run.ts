import { createLogger } from '@svc/logging'
import { shutdownTelemetry } from '@svc/telemetry'
import type { Service } from './service.ts'

const STOP_LIMIT_MS = 25_000
const logger = createLogger('lifecycle')

/**
 * Runs the service as this process: starts it, stops it once on SIGTERM or SIGINT and exits 0. A failed start, an
 * uncaught error or a stop that takes over 25 seconds exits 1; spans are flushed last.
 */
export async function run(service: Service): Promise<void> {
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

  process.on('SIGTERM', () => void exit(0))
  process.on('SIGINT', () => void exit(0))
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
