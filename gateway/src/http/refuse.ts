import { ServiceError } from '@svc/errors'
import type { Request, Response } from 'express'
import type { AccessLog } from './access-log.ts'
import { sendError } from './errors.ts'
import { openExchange } from './exchange.ts'

/** 405 naming what the path does answer to. */
export function refuseMethod(methods: readonly string[], path: string, accessLog: AccessLog) {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  const error = new ServiceError('method_not_allowed', {
    message: `The path answers to ${allowed.join(', ')} alone.`,
    details: { allowed },
  })
  return (request: Request, response: Response): void => {
    response.setHeader('Allow', allowed.join(', '))
    refuse(request, response, error, path, accessLog)
  }
}

/** Answers with an error what never gets to a route. */
export function refuse(request: Request, response: Response, error: unknown, route: string, log: AccessLog): void {
  const startedAt = performance.now()
  const requestId = openExchange(request, response)
  const code = sendError(response, error, { requestId, log })
  log.tell({ request, response, requestId, route, code, startedAt })
}
