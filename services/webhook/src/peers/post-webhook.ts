import { BlockedAddressError } from '@svc/outbound'
import { type AttemptResult, parseRetryAfter } from '../domain/retry-schedule.ts'
import type { OutboundHttp } from './outbound-http.ts'

/** One attempt takes no longer, from the name lookup to the last byte that is read. */
export const ATTEMPT_TIMEOUT_MS = 12_000
const BODY_TIMEOUT_MS = 1_000
const MAX_BODY_BYTES = 4 * 1024
const SNIPPET_LENGTH = 1_024

export interface PostResult extends AttemptResult {
  at: Date
  durationMs: number
  responseSnippet: string | null
}

/**
 * Sends one POST and never throws. The status decides once headers arrive, whatever happens to the rest of the reply;
 * redirects are not followed and at most 4 KiB of the body are read.
 */
export async function postWebhook(
  http: OutboundHttp,
  request: { url: string; headers: Record<string, string>; body: Uint8Array },
): Promise<PostResult> {
  const at = new Date()
  const startedAt = performance.now()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), ATTEMPT_TIMEOUT_MS)
  try {
    const { url, dispatcher } = http.dispatcherOf(request.url)
    const reply = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: deadline.signal,
      headersTimeout: ATTEMPT_TIMEOUT_MS,
      bodyTimeout: ATTEMPT_TIMEOUT_MS,
    })
    const responseSnippet = await readSnippet(reply.body)
    const retryAfter = reply.headers['retry-after']
    return {
      at,
      durationMs: Math.round(performance.now() - startedAt),
      statusCode: reply.statusCode,
      error: describeStatus(reply.statusCode),
      retryAfterMs: parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, new Date()),
      responseSnippet,
    }
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedAt)
    const text = deadline.signal.aborted ? `no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s` : describeFailure(error)
    return { at, durationMs, statusCode: null, error: text, retryAfterMs: null, responseSnippet: null }
  } finally {
    clearTimeout(timer)
  }
}

async function readSnippet(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  // A body that drips or never ends costs its connection, not the time of the next delivery.
  const limit = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MAX_BODY_BYTES) break
    }
  } catch {
    // What has arrived is enough: the status has decided.
  } finally {
    clearTimeout(limit)
  }
  if (size === 0) return null
  const text = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8')
  return text.replaceAll('\u0000', '\uFFFD').slice(0, SNIPPET_LENGTH).toWellFormed()
}

function describeStatus(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null
  return statusCode >= 300 && statusCode < 400
    ? `status ${statusCode}: redirects are not followed`
    : `status ${statusCode}`
}

/** Says what a merchant can act on, and no address that our side saw. */
function describeFailure(error: unknown): string {
  if (error instanceof BlockedAddressError) return `refused: ${error.message}`
  const { code, errors, cause } = (error ?? {}) as { code?: string; errors?: unknown[]; cause?: unknown }
  if (code !== undefined) return `connection failed: ${code}`
  const deeper = errors?.[0] ?? cause
  return deeper === undefined ? 'connection failed' : describeFailure(deeper)
}
