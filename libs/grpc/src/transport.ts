import type { ServiceError } from '@svc/errors'
import type { UnaryMethod } from './definition.ts'

/** One call, ready to leave. */
export interface Outgoing {
  method: UnaryMethod<unknown, unknown>
  /** Serialized. */
  request: Buffer
  /** Signed for the rpc and the request. */
  caller: string
  traceparent: string | undefined
  /** Milliseconds of Date.now(). */
  deadlineMs: number
}

export type Settle = (error: ServiceError | null, response?: unknown) => void

/** How calls get to the other process. A call is settled once, with its answer or with what became of it. */
export interface Transport {
  /** Returns what cancels the call. */
  send(call: Outgoing, settle: Settle): () => void
  close(): void
}

/** The rpc of a method, as metrics, logs and signatures name it. */
export const rpcOf = ({ path }: { path: string }): string => path.slice(1)
