import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { keepPartitions } from '../db/position-log.ts'

const DAYS_AHEAD = 3
const INTERVAL_MS = 3_600_000

/**
 * Sees to it that the log of positions has a partition for every day to come and none that is older than it is kept.
 * The service does not start without today's; a later failure is logged and repeated hourly, days before it matters.
 */
export function locationLogKeeper({ config, database, logger }: Pick<Context, 'config' | 'database' | 'logger'>): Part {
  const hourly = repeatedly({
    name: 'location-log-keeper',
    everyMs: INTERVAL_MS,
    work: () =>
      keep().catch((err: unknown) =>
        logger.error({ err, alert: 'location_log_partitions' }, 'the partitions of the location log were not kept'),
      ),
  })

  async function keep(): Promise<void> {
    const { created, dropped } = await keepPartitions(database, DAYS_AHEAD, config.locationLogDays)
    if (created + dropped > 0) logger.info({ created, dropped }, 'partitions of the location log')
  }

  return {
    ...hourly,
    async start() {
      await keep()
      await hourly.start()
    },
  }
}
