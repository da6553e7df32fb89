import type { Logger } from '@svc/logging'
import { type Dispatcher, request } from 'undici'
import { z } from 'zod'
import type { Point } from '../domain/coverage.ts'
import type { Route, Router } from './router.ts'

interface OsrmOptions {
  /** Of the server, for example http://osrm:5000. */
  baseUrl: string
  logger: Logger
  timeoutMs?: number
  /** How long it is left alone after a failure. */
  restMs?: number
  dispatcher?: Dispatcher
}

/** An OSRM server takes at most 100 points in a request unless told otherwise. */
const MAX_DESTINATIONS = 99

const measures = z.array(z.array(z.number().nonnegative().nullable()).min(1)).min(1)
const tableReply = z.object({ code: z.literal('Ok'), distances: measures, durations: measures })

/** Ways by road from an OSRM server's table service. It never throws: a price is worth more than the best way. */
export function osrmRouter({ baseUrl, logger, timeoutMs = 1_000, restMs = 10_000, dispatcher }: OsrmOptions): Router {
  let restsUntil = 0

  async function table(from: Point, to: readonly Point[]): Promise<Array<Route | null>> {
    const coordinates = [from, ...to].map(({ lat, lng }) => `${lng},${lat}`).join(';')
    const url = `${baseUrl.replace(/\/+$/, '')}/table/v1/driving/${coordinates}?sources=0&annotations=distance,duration`
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs), dispatcher })
    if (statusCode !== 200) {
      await body.dump()
      throw new Error(`the router answered ${statusCode}`)
    }
    const { distances, durations } = tableReply.parse(await body.json())
    return to.map((_, index) => {
      // The first is the way from the point to itself.
      const [metres, seconds] = [distances[0]?.[index + 1] ?? null, durations[0]?.[index + 1] ?? null]
      return metres === null || seconds === null ? null : { metres: Math.round(metres), seconds: Math.round(seconds) }
    })
  }

  return {
    async routes(from, to) {
      const found: Array<Route | null> = []
      for (let start = 0; start < to.length && performance.now() >= restsUntil; start += MAX_DESTINATIONS) {
        try {
          found.push(...(await table(from, to.slice(start, start + MAX_DESTINATIONS))))
        } catch (err) {
          restsUntil = performance.now() + restMs
          logger.warn({ err }, 'the router failed; ways are estimated')
        }
      }
      return to.map((_, index) => found[index] ?? null)
    },
  }
}
