import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js'
import type {
  AnsweredCall,
  ShareStreamRequest,
  ShareStreamResponse,
  StartedCall,
} from '@svc/contracts/common/v1/shared_stream_service'
import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'
import { withRemoteParent } from '@svc/telemetry'
import type { UnaryMethod } from './definition.ts'
import { errorBytes } from './error-trailer.ts'
import { MAX_RESPONSE_BYTES } from './limits.ts'
import type { Answer, Incoming } from './served-rpc.ts'
import { inMessages } from './shared-transport.ts'
import { certification } from './tls.ts'

const logger = createLogger('grpc')
/** A message that is too large ends the whole stream. */
const MAX_SHARED_RESPONSE_BYTES = MAX_RESPONSE_BYTES - 1024

type Stream = ServerDuplexStream<ShareStreamRequest, ShareStreamResponse>

/** An rpc that streams may carry. */
export interface SharedRpc {
  method: UnaryMethod<unknown, unknown>
  serve: (incoming: Incoming) => Promise<Answer>
}

/** The streams that clients share for their calls, and how they come to an end. */
export class SharedStreams {
  readonly #rpcs: ReadonlyMap<string, SharedRpc>
  readonly #open = new Set<ServedStream>()
  #isClosing = false

  /** By path. */
  constructor(rpcs: ReadonlyMap<string, SharedRpc>) {
    this.#rpcs = rpcs
  }

  readonly handle: handleBidiStreamingCall<ShareStreamRequest, ShareStreamResponse> = (stream) => {
    const served = new ServedStream(stream, this.#rpcs)
    this.#open.add(served)
    void served.ended.then(() => this.#open.delete(served))
    if (this.#isClosing) served.close()
  }

  /** Asks every client to call elsewhere from now on; each stream ends when its last call is answered. */
  close(): void {
    this.#isClosing = true
    for (const stream of this.#open) stream.close()
  }
}

class ServedStream {
  readonly #stream: Stream
  readonly #rpcs: ReadonlyMap<string, SharedRpc>
  readonly #isCertified: Incoming['isCertified']
  /** What ends the work of each call that is under way, where its handler wants to know. */
  readonly #running = new Map<number, { isCancelled: boolean; listeners: Array<() => void> }>()
  readonly ended: Promise<void>
  #answered: AnsweredCall[] = []
  #isFlushing = false
  #isLeft = false

  constructor(stream: Stream, rpcs: ReadonlyMap<string, SharedRpc>) {
    this.#stream = stream
    this.#rpcs = rpcs
    this.#isCertified = certification(stream)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    stream.on('data', ({ started, cancelled }: ShareStreamRequest) => {
      for (const call of started) void this.#answer(call)
      for (const id of cancelled) this.#cancel(id)
    })
    stream.on('end', () => {
      this.#isLeft = true
      this.#endIfDone()
    })
    const gone = (): void => {
      for (const id of this.#running.keys()) this.#cancel(id)
      resolve()
    }
    stream.on('cancelled', gone)
    stream.on('error', gone)
    stream.on('close', gone)
  }

  close(): void {
    if (!this.#isLeft) this.#stream.write({ answered: [], closing: true })
  }

  async #answer({ id, path, request, caller, timeout_ms, traceparent }: StartedCall): Promise<void> {
    const call = { isCancelled: false, listeners: [] as Array<() => void> }
    this.#running.set(id, call)
    const answer = await withRemoteParent(traceparent, () =>
      this.#serve(path, request, {
        caller,
        isCertified: this.#isCertified,
        deadline: new Date(Date.now() + timeout_ms),
        isCancelled: () => call.isCancelled,
        onCancelled: (listener) => void call.listeners.push(listener),
      }),
    )
    this.#running.delete(id)
    if (call.isCancelled) return this.#endIfDone()
    this.#answered.push({ id, ...answer })
    this.#flushSoon()
  }

  /** Never throws: one bad call must not end the stream of the others. */
  async #serve(path: string, bytes: Buffer, incoming: Omit<Incoming, 'request'>): Promise<Omit<AnsweredCall, 'id'>> {
    try {
      const rpc = this.#rpcs.get(path)
      if (!rpc) throw new Error('there is no such rpc')
      const answer = await rpc.serve({ ...incoming, request: bytes })
      if ('error' in answer) return failed(answer.error)
      const response = rpc.method.responseSerialize(answer.response)
      if (response.length > MAX_SHARED_RESPONSE_BYTES) throw new Error(`a reply of ${response.length} bytes`)
      return { response, error: NONE }
    } catch (err) {
      logger.error({ err, path }, 'a call could not be answered')
      return failed(new ServiceError('internal_error'))
    }
  }

  #cancel(id: number): void {
    const call = this.#running.get(id)
    if (!call) return
    call.isCancelled = true
    for (const listener of call.listeners) listener()
  }

  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      const answered = this.#answered
      this.#answered = []
      for (const part of inMessages(answered, ({ response }) => response.length)) {
        this.#stream.write({ answered: part, closing: false })
      }
      this.#endIfDone()
    })
  }

  #endIfDone(): void {
    if (this.#isLeft && this.#running.size === 0 && this.#answered.length === 0) this.#stream.end()
  }
}

const NONE = Buffer.alloc(0)
const failed = (error: ServiceError) => ({ response: NONE, error: errorBytes(error) })
