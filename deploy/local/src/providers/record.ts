import type { NextFunction, Request, Response } from 'express'
import type { World } from './world.ts'

/** The body as the sender meant it: JSON where it parses, text where it does not, null where there is none. */
function readBody(raw: unknown): unknown {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return null
  const text = raw.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Middleware of one provider: puts every request on record before anything else may happen to it. The bytes as they came
 * stay in `response.locals.raw`.
 */
export function record(
  world: World,
  provider: string,
): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    response.locals.raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    request.body = readBody(request.body)
    world.requests.push({
      at: world.now().toISOString(),
      provider,
      method: request.method,
      path: request.path,
      query: { ...request.query },
      headers: { ...request.headers },
      body: request.body,
    })
    next()
  }
}
