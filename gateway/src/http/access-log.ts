import { type ErrorCode, outcomeOf } from '@svc/errors'
import { createLogger, createRecordLogger, type Logger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Request, Response } from 'express'
import type { Identity } from './principal.ts'

const requests = metrics.counter('http_requests', 'Requests answered, by route, status and outcome')
const duration = metrics.histogram('http_request_duration_seconds', 'Time to answer a request, by route and outcome')

/** Errors are told up to this many a second, and so is what lies behind them: a flood fills neither a disk nor a pipe. */
const ERROR_LINES_PER_SECOND = 100

/** A request that was answered. Nothing here holds a body, a query, a token, an address or a name of a person. */
export interface Answered {
  request: Request
  response: Response
  requestId: string
  /** The path as the table of routes spells it; 'unknown' where it names none. */
  route: string
  /** Of the error it was answered with, or 'ok'. */
  code: ErrorCode | 'ok'
  /** By performance.now(). */
  startedAt: number
  /** Whom its credential speaks for, once that is known. */
  identity?: Identity | undefined
}

export interface AccessLog {
  /** Counts the answer, and tells of it in one line of the log where it falls into the sample. */
  tell(answered: Answered): void
  /** Tells what lies behind an error that is not the client's, with its stack. */
  fail(error: unknown, code: ErrorCode, requestId: string): void
}

/** Where answers are told, and where what lies behind those that failed. */
interface Loggers {
  answers: Logger
  failures: Logger
}

const ours = (): Loggers => ({ answers: createRecordLogger('access'), failures: createLogger('http') })

/** Counts every answer and logs all errors, within a bound, and of other answers one in `sample`. */
export function createAccessLog(sample: number, { answers: logger, failures } = ours()): AccessLog {
  const errors = new LinesPerSecond(ERROR_LINES_PER_SECOND)
  const causes = new LinesPerSecond(ERROR_LINES_PER_SECOND)
  let successes = 0

  function admits(isError: boolean): object | undefined {
    if (isError) return errors.admit()
    successes += 1
    return successes % sample === 0 ? { sampled_1_in: sample } : undefined
  }

  return {
    tell({ request, response, requestId, route, code, startedAt, identity }) {
      const { method } = request
      const status = response.statusCode
      const outcome = outcomeOf(code)
      const durationMs = performance.now() - startedAt
      requests.add(1, { method, route, status, outcome })
      duration.record(durationMs / 1_000, { method, route, outcome })
      if (!logger.isLevelEnabled('info')) return
      // A body that broke off has the status of its beginning.
      const of = admits(status >= 400 || code !== 'ok')
      if (!of) return
      const line = {
        method,
        route,
        status,
        error_code: code === 'ok' ? undefined : code,
        outcome,
        duration_ms: Math.round(durationMs * 10) / 10,
        merchant_id: identity?.merchantId,
        is_test: identity?.isTest,
        actor: identity && `${identity.actor.type}:${identity.actor.id}`,
        credential: identity?.credential,
        request_id: requestId,
        bytes_in: bytesOf(request.headers['content-length']),
        bytes_out: bytesOf(response.getHeader('content-length')),
        ...of,
      }
      logger.info(line, 'answered')
    },
    fail(err, code, requestId) {
      const of = causes.admit()
      if (!of) return
      // What the operator has switched off is no failure of ours.
      const level = outcomeOf(code) === 'refused' ? 'warn' : 'error'
      failures[level]({ err, request_id: requestId, ...of }, 'a request failed')
    },
  }
}

const bytesOf = (header: unknown): number | undefined => (header === undefined ? undefined : Number(header))

/** So many lines a second; the first of the next tells how many were left out. */
class LinesPerSecond {
  readonly #limit: number
  #second = 0
  #lines = 0
  #leftOut = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  admit(): { left_out?: number } | undefined {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#lines = 0
    }
    if (this.#lines === this.#limit) {
      this.#leftOut += 1
      return undefined
    }
    this.#lines += 1
    const leftOut = this.#leftOut
    this.#leftOut = 0
    return leftOut > 0 ? { left_out: leftOut } : {}
  }
}
