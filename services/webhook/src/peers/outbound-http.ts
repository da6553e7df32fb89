import { isBlockedAddress } from '@svc/inputs'
import { BlockedAddressError, guardedAgent, type Resolve, resolvePublicName } from '@svc/outbound'
import type { Dispatcher } from 'undici'
import { type Admission, judgeWebhookUrl } from '../domain/webhook-url.ts'

const CONNECT_TIMEOUT_MS = 12_000
const MAX_HEADER_BYTES = 16 * 1024

export interface OutboundHttpOptions extends Admission {
  /** Tests put a resolver of their own here; it decides nothing, since addresses are judged afterwards. */
  resolve?: Resolve
}

export interface OutboundHttp {
  /** Where requests to this URL go through; throws BlockedAddressError when its text is not admissible. */
  dispatcherOf(url: string): { url: URL; dispatcher: Dispatcher }
  close(): Promise<void>
}

/**
 * HTTP to strangers: a connection is made only to an address that was judged public, all addresses of a name must be, and
 * the connected address is judged once more. Nothing is read from proxy variables; certificates are always verified.
 */
export function createOutboundHttp({
  allowLocal,
  refused,
  resolve = resolvePublicName,
}: OutboundHttpOptions): OutboundHttp {
  const strangers = agentFor((address) => !isBlockedAddress(address, refused), resolve)
  const local = agentFor(isLoopback, async () => ['127.0.0.1', '::1'])
  return {
    dispatcherOf(text) {
      const judged = judgeWebhookUrl(text, { allowLocal, refused })
      if ('refused' in judged) throw new BlockedAddressError(`the URL is not admissible (${judged.refused})`)
      return { url: judged.url, dispatcher: judged.local ? local : strangers }
    },
    async close() {
      await Promise.all([strangers.destroy(), local.destroy()])
    },
  }
}

const agentFor = (isAllowed: (address: string) => boolean, resolve: Resolve) =>
  guardedAgent(isAllowed, {
    resolve,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })

const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1'
