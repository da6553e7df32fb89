import { isIP } from 'node:net'
import { Client as Channel, type ChannelCredentials, connectivityState } from '@grpc/grpc-js'
import type { Endpoint } from './endpoints.ts'
import { MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES } from './limits.ts'
import { sharedTransport } from './shared-transport.ts'
import type { Outgoing, Settle, Transport } from './transport.ts'
import { unaryTransport } from './unary-transport.ts'

const OPTIONS = {
  'grpc.max_send_message_length': MAX_REQUEST_BYTES,
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  // A server that froze keeps its connection: by these it ends ten seconds later.
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.enable_retries': 0,
  // Bookkeeping of every call for a debugging service that no process serves.
  'grpc.enable_channelz': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // What exempts hosts from a proxy names hosts, and these are IP addresses.
  'grpc.enable_http_proxy': 0,
}

/** One process of those that serve the same rpcs. */
export class Replica implements Transport {
  readonly #channel: Channel
  readonly #transport: Transport
  #running = 0
  /** The process has asked for no further calls. */
  #isLeaving = false
  #isClosing = false
  #isClosed = false

  constructor({ host, target, authority }: Endpoint, credentials: ChannelCredentials, way: 'unary' | 'shared') {
    this.#channel = new Channel(target, credentials, {
      ...OPTIONS,
      'grpc.default_authority': authority,
      ...(isIP(host) ? {} : { 'grpc.ssl_target_name_override': host }),
    })
    const leaves = (): void => {
      this.#isLeaving = true
    }
    this.#transport = way === 'unary' ? unaryTransport(this.#channel) : sharedTransport(this.#channel, leaves)
  }

  /** Whether a call would leave at once; if there is no connection, one is being made from now on. */
  isReady(): boolean {
    const isConnected = this.#isConnected(true)
    // The process that comes next to this address has said nothing yet.
    if (!isConnected) this.#isLeaving = false
    return isConnected && !this.#isLeaving
  }

  send(call: Outgoing, settle: Settle): () => void {
    this.#running += 1
    return this.#transport.send(call, (error, response) => {
      this.#running -= 1
      if (this.#isClosing && this.#running === 0) this.#closeNow()
      settle(error, response)
    })
  }

  /** No further calls; what waits is still answered. Where there is no connection, what waits for it ends at once. */
  close(): void {
    this.#isClosing = true
    // A connection that is closed while calls run on it is dropped at its next keepalive.
    if (this.#running === 0 || !this.#isConnected(false)) this.#closeNow()
  }

  #closeNow(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#transport.close()
  }

  #isConnected(tryNow: boolean): boolean {
    return this.#channel.getChannel().getConnectivityState(tryNow) === connectivityState.READY
  }
}
