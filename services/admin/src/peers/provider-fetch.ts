import { isBlockedAddress, NO_NETWORKS } from '@svc/inputs'
import { guardedAgent } from '@svc/outbound'
import type { CustomFetch } from 'openid-client'
import { Agent, type Dispatcher } from 'undici'

/** Descriptions and key sets of providers are a few KiB. */
const MAX_REPLY_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

interface ProviderFetchOptions {
  /** Of one request, its answer included. */
  timeoutMs: number
  /** Whether addresses that are not public are called. */
  arePrivateAllowed: boolean
}

export interface ProviderFetch {
  fetch: CustomFetch
  close(): Promise<void>
}

/**
 * HTTP to an identity provider, which itself says where its keys and tokens are: within a time and so many bytes, no redirect is
 * followed, certificates are always verified, and only public addresses are called unless the operator has said otherwise.
 */
export function providerFetch({ timeoutMs, arePrivateAllowed }: ProviderFetchOptions): ProviderFetch {
  const bounds = { maxHeaderSize: MAX_HEADER_BYTES, maxResponseSize: MAX_REPLY_BYTES }
  const agent = arePrivateAllowed
    ? new Agent({ ...bounds, allowH2: false, connect: { timeout: timeoutMs } })
    : guardedAgent((address) => !isBlockedAddress(address, NO_NETWORKS), { ...bounds, connectTimeoutMs: timeoutMs })
  return {
    async fetch(target, { method, headers, body, signal }) {
      const url = new URL(target)
      const within = AbortSignal.timeout(timeoutMs)
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body instanceof URLSearchParams ? body.toString() : null,
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
