import type { NextFunction, Request, Response } from 'express'
import { z } from 'zod'
import type { Provider } from './provider.ts'

export const faultSchema = z.strictObject({
  provider: z.string(),
  /** Absent parts match everything; a path may end in `*`. */
  match: z.strictObject({ method: z.string().optional(), path: z.string().optional() }).default({}),
  mode: z.enum(['status', 'delay', 'reset_before', 'reset_after_commit', 'garbage_json', 'html_500']),
  /** How many requests it hits. */
  count: z.int().min(1).default(1),
  /** Waited before the answer with mode `delay`, before the request is handled with every other. */
  delayMs: z.int().min(0).max(600_000).default(0),
  /** Answered by mode `status`. */
  status: z.int().min(100).max(599).default(503),
})

export type Fault = z.output<typeof faultSchema>

export interface Faults {
  add(fault: Fault): void
  clear(): void
  /** Middleware of one provider; stands after the recorder, so that a request that meets a fault is on record. */
  inject(provider: Provider): (request: Request, response: Response, next: NextFunction) => void
}

const pathMatches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path

const matches = (fault: Fault, provider: string, request: Request): boolean =>
  fault.provider === provider &&
  (fault.match.method === undefined || fault.match.method.toUpperCase() === request.method) &&
  (fault.match.path === undefined ||
    [request.path, `/${provider}${request.path}`].some((path) => pathMatches(fault.match.path!, path)))

const GARBAGE = '{"id": "4f'

/** Lets the handler do its work, then hands the finished answer to `instead`. */
function replaceAnswer(response: Response, instead: (end: (body: string) => void) => void): void {
  const end = response.end.bind(response)
  response.end = (() => {
    instead((body) => {
      response.removeHeader('etag')
      response.setHeader('content-length', Buffer.byteLength(body))
      end(body)
    })
    return response
  }) as typeof response.end
}

/** Lets the handler do its work at once, and keeps what it answers back. */
function holdAnswer(response: Response, delayMs: number): void {
  const end = response.end.bind(response) as (...answer: unknown[]) => void
  response.end = ((...answer: unknown[]) => {
    const timer = setTimeout(() => end(...answer), delayMs)
    response.once('close', () => clearTimeout(timer))
    return response
  }) as typeof response.end
}

function refusalOf(provider: Provider, statusCode: number): object {
  const message = 'A fault was asked for.'
  return provider.refusal?.(message) ?? { statusCode, name: 'fault', message }
}

interface Hit {
  fault: Fault
  provider: Provider
  request: Request
  response: Response
  next: NextFunction
}

function takeEffect({ fault, provider, request, response, next }: Hit): void {
  switch (fault.mode) {
    case 'status':
      response.status(fault.status).json(refusalOf(provider, fault.status))
      return
    case 'html_500':
      response.status(500).type('html').send('<html><body><h1>500 Internal Server Error</h1></body></html>')
      return
    case 'reset_before':
      request.socket.resetAndDestroy()
      return
    case 'reset_after_commit':
      replaceAnswer(response, () => request.socket.resetAndDestroy())
      next()
      return
    case 'garbage_json':
      replaceAnswer(response, (end) => {
        response.status(200).type('json')
        end(GARBAGE)
      })
      next()
      return
    case 'delay':
      holdAnswer(response, fault.delayMs)
      next()
  }
}

/** Faults that were asked for, oldest first; each hits `count` matching requests and is gone. */
export function createFaults(): Faults {
  let pending: Array<{ fault: Fault; left: number }> = []

  const take = (provider: string, request: Request): Fault | undefined => {
    const hit = pending.find(({ fault }) => matches(fault, provider, request))
    if (!hit) return undefined
    hit.left -= 1
    pending = pending.filter(({ left }) => left > 0)
    return hit.fault
  }

  return {
    add: (fault) => void pending.push({ fault, left: fault.count }),
    clear() {
      pending = []
    },
    inject: (provider) => (request, response, next) => {
      const fault = take(provider.name, request)
      if (!fault) return next()
      const hit: Hit = { fault, provider, request, response, next }
      const timer = setTimeout(takeEffect, fault.mode === 'delay' ? 0 : fault.delayMs, hit)
      response.once('close', () => clearTimeout(timer))
    },
  }
}
