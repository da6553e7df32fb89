import type { Client as Channel, ClientDuplexStream, ServiceError as RpcError } from '@grpc/grpc-js'
import {
  type AnsweredCall,
  SharedStreamServiceService,
  type ShareStreamRequest,
  type ShareStreamResponse,
  type StartedCall,
} from '@svc/contracts/common/v1/shared_stream_service'
import { ServiceError } from '@svc/errors'
import { errorOfRpc } from './client-error.ts'
import { errorOfBytes } from './error-trailer.ts'
import type { Outgoing, Settle, Transport } from './transport.ts'
import { unaryTransport } from './unary-transport.ts'
import { UnreachableError } from './unreachable-error.ts'

/** Requests beyond this would hold up those behind them: they take a stream of their own. */
const MAX_SHARED_REQUEST_BYTES = 64 * 1024
/** Of one message, about. */
const MAX_MESSAGE_BYTES = 512 * 1024

const { shareStream } = SharedStreamServiceService

interface Waiting {
  call: Outgoing
  settle: Settle
  timer: NodeJS.Timeout
}

/**
 * Calls that leave in one turn of the event loop travel together, for a small part of the cost of a stream each.
 * `onLeaving` hears that the server wants no further calls.
 */
export function sharedTransport(channel: Channel, onLeaving?: () => void): Transport {
  const unary = unaryTransport(channel)
  let stream: SharedStream | undefined

  return {
    send(call, settle) {
      if (call.request.length > MAX_SHARED_REQUEST_BYTES) return unary.send(call, settle)
      if (!stream?.isOpen) stream = new SharedStream(channel, onLeaving)
      return stream.send(call, settle)
    },
    close() {
      stream?.leave()
      unary.close()
    },
  }
}

/** One stream to the server, and the calls that wait on it. */
class SharedStream {
  readonly #stream: ClientDuplexStream<ShareStreamRequest, ShareStreamResponse>
  readonly #onLeaving: (() => void) | undefined
  readonly #waiting = new Map<number, Waiting>()
  #started: StartedCall[] = []
  #cancelled: number[] = []
  #isFlushing = false
  #lastId = 0
  /** False once further calls belong on another stream. */
  isOpen = true

  constructor(channel: Channel, onLeaving: (() => void) | undefined) {
    this.#onLeaving = onLeaving
    this.#stream = channel.makeBidiStreamRequest(
      shareStream.path,
      shareStream.requestSerialize,
      shareStream.responseDeserialize,
    )
    this.#stream.on('data', (message: ShareStreamResponse) => this.#receive(message))
    this.#stream.on('error', (failure: RpcError | NodeJS.ErrnoException) => this.#fail(errorOfStream(failure)))
    this.#stream.on('end', () => this.#fail(new UnreachableError('unknown')))
  }

  send(call: Outgoing, settle: Settle): () => void {
    this.#lastId += 1
    const id = this.#lastId
    const timeoutMs = Math.max(1, call.deadlineMs - Date.now())
    const giveUp = (): void => {
      if (this.#take(id) === undefined) return
      this.#cancelSoon(id)
      settle(new UnreachableError('unknown'))
    }
    this.#waiting.set(id, { call, settle, timer: setTimeout(giveUp, timeoutMs) })
    const { request, caller, traceparent } = call
    this.#started.push({ id, path: call.method.path, request, caller, timeout_ms: timeoutMs, traceparent })
    this.#flushSoon()
    return giveUp
  }

  /** No further calls; what waits is still answered. */
  leave(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#flush()
    this.#stream.end()
  }

  /** A server that was left hears nothing more: by its own deadline the call ends there too. */
  #cancelSoon(id: number): void {
    if (this.#stream.writableEnded) return
    this.#cancelled.push(id)
    this.#flushSoon()
  }

  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#started.length === 0 && this.#cancelled.length === 0) return
    const [started, cancelled] = [this.#started, this.#cancelled]
    this.#started = []
    this.#cancelled = []
    for (const part of inMessages(started, ({ request }) => request.length)) {
      this.#stream.write({ started: part, cancelled: [] })
    }
    if (cancelled.length > 0) this.#stream.write({ started: [], cancelled })
  }

  #receive({ answered, closing }: ShareStreamResponse): void {
    for (const answer of answered) {
      const waiting = this.#take(answer.id)
      if (waiting) settleWith(waiting, answer)
    }
    if (!closing) return
    this.leave()
    this.#onLeaving?.()
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    if (!waiting) return undefined
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    return waiting
  }

  /** The stream has ended: no answer will come any more. */
  #fail(error: ServiceError): void {
    this.isOpen = false
    for (const id of this.#waiting.keys()) this.#take(id)?.settle(error)
  }
}

/** What is no word of the server's came of the stream itself: how far its calls have got nobody knows. */
const errorOfStream = (failure: RpcError | NodeJS.ErrnoException): ServiceError =>
  isOfRpc(failure) ? errorOfRpc(failure, shareStream.path.slice(1)) : new UnreachableError('unknown', failure)

const isOfRpc = (failure: RpcError | NodeJS.ErrnoException): failure is RpcError => typeof failure.code === 'number'

function settleWith({ call, settle }: Waiting, { response, error }: AnsweredCall): void {
  if (error.length > 0) return settle(errorOfBytes(error) ?? new ServiceError('internal_error'))
  let read: unknown
  try {
    read = call.method.responseDeserialize(response)
  } catch (cause) {
    return settle(new ServiceError('internal_error', { cause }))
  }
  settle(null, read)
}

/** Parts of at most so many bytes, or of one item. */
export function* inMessages<Item>(items: Item[], bytesOf: (item: Item) => number): Generator<Item[]> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (part.length > 0 && bytes + bytesOf(item) > MAX_MESSAGE_BYTES) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += bytesOf(item)
  }
  if (part.length > 0) yield part
}
