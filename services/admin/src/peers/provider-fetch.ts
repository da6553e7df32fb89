import type { CustomFetch } from 'openid-client'
import { Agent, type Dispatcher } from 'undici'

/** Of one request, its answer included. */
const TIMEOUT_MS = 5_000
/** Descriptions and key sets of providers are a few KiB. */
const MAX_REPLY_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

export interface ProviderFetch {
  fetch: CustomFetch
  close(): Promise<void>
}

/** HTTP to an identity provider: within 5 s and so many bytes, no redirect is followed, certificates are always verified. */
export function providerFetch(): ProviderFetch {
  const agent = new Agent({
    allowH2: false,
    connect: { timeout: TIMEOUT_MS },
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_REPLY_BYTES,
  })
  return {
    async fetch(target, { method, headers, body, signal }) {
      const url = new URL(target)
      const within = AbortSignal.timeout(TIMEOUT_MS)
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body === undefined || body === null ? null : String(body),
        signal: signal ? AbortSignal.any([signal, within]) : within,
      })
      const text = await answer.body.text()
      const known = new Headers()
      for (const [name, value] of Object.entries(answer.headers))
        for (const one of [value].flat()) if (one !== undefined) known.append(name, one)
      return new Response(NO_BODY.has(answer.statusCode) ? null : text, { status: answer.statusCode, headers: known })
    },
    close: () => agent.destroy(),
  }
}
