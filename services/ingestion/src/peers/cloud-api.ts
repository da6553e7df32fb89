import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'
import { Agent } from 'undici'
import type { z } from 'zod'
import { refusal } from './cloud-replies.ts'

const MAX_REPLY_BYTES = 1024 * 1024

/** The provider's codes for: unknown, down for a while, and too many calls of an app, a user or an account. */
const PASSING = new Set([0, 1, 2, 4, 17, 32, 341, 368, 613, 80007, 130429])

const logger = createLogger('cloud')
const UNANSWERED = "the messaging app's cloud does not answer"

/** The provider refuses this for good: nothing happened, and repeating it would change nothing. */
export class CloudRefusedError extends Error {
  override readonly name = 'CloudRefusedError'
  /** The provider's number for it. */
  readonly code: number

  constructor(code: number) {
    super(`the messaging app's cloud refused (${code})`)
    this.code = code
  }
}

export interface CloudRequest {
  method: 'GET' | 'POST'
  /** Below the version. */
  path: string
  query?: Readonly<Record<string, string>>
  /** What authorises it. */
  bearer?: string
  body?: object
}

export interface CloudApi {
  /** The answer as the schema reads it; throws CloudRefusedError, or service_unavailable where nothing is known. */
  send<S extends z.ZodType>(schema: S, request: CloudRequest, signal: AbortSignal): Promise<z.output<S>>
  readonly close: () => Promise<void>
}

/** One request, and a second one where the first was not answered: each of them may be made twice. No error names a token, a code or an address. */
export function cloudApi(options: { baseUrl: string; apiVersion: string; timeoutMs: number }): CloudApi {
  const { baseUrl, apiVersion, timeoutMs } = options
  const agent = new Agent({ connect: { timeout: timeoutMs }, maxResponseSize: MAX_REPLY_BYTES })
  const base = `${baseUrl.replace(/\/$/, '')}/${apiVersion}/`

  async function once<S extends z.ZodType>(schema: S, request: CloudRequest, signal: AbortSignal) {
    const { method, path, query = {}, bearer, body } = request
    const askedAt = performance.now()
    const url = new URL(`${path}?${new URLSearchParams(query).toString()}`, base)
    const { status, text } = await agent
      .request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      .then(async (answer) => ({ status: answer.statusCode, text: await answer.body.text() }))
      .catch((error: unknown) => {
        logger.warn({ reason: reasonOf(error), method, took_ms: Math.round(performance.now() - askedAt) }, UNANSWERED)
        return unavailable('does not answer')
      })
    return read(schema, status, text)
  }

  return {
    send: (schema, request, signal) =>
      once(schema, request, signal).catch((error: unknown) => {
        if (error instanceof ServiceError && !signal.aborted) return once(schema, request, signal)
        throw error
      }),
    close: () => agent.destroy(),
  }
}

/** What went wrong, without the address that messages of the network name. */
const reasonOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return [name, code].filter((part) => typeof part === 'string').join(' ')
}

function read<S extends z.ZodType>(schema: S, status: number, text: string): z.output<S> {
  const body = jsonOf(text)
  if (status >= 200 && status < 300) {
    const parsed = schema.safeParse(body)
    return parsed.success ? parsed.data : unavailable('gave an answer that cannot be read')
  }
  const refused = refusal.safeParse(body)
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429
  if (!isFinal || !refused.success) return unavailable(`answered ${status}`)
  const { code, is_transient: isTransient } = refused.data.error
  if (isTransient || PASSING.has(code)) return unavailable(`answered ${status} (${code})`)
  throw new CloudRefusedError(code)
}

function unavailable(what: string): never {
  throw new ServiceError('service_unavailable', { message: `The messaging app's cloud ${what}.` })
}

/** The value of a JSON text; undefined where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
