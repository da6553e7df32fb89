import { type Followed, type FollowOptions, follow } from './follow.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Operations } from './generated/types.ts'
import type { OperationShape } from './operation.ts'
import { type Next, type Page, Pages } from './pages.ts'
import { type CallOptions, type Credential, type Sender, send } from './send.ts'

export interface DispatchOptions {
  /** Public calls need none. */
  credential?: Credential
  /** Where the API is, without `/v1`. */
  baseUrl: string
  /** How often a call is sent again where that is safe: 4 unless given. */
  maxRetries?: number
  /** Milliseconds for a whole call: 60,000 unless given. */
  timeoutMs?: number
  /** Milliseconds for one try of it: 20,000 unless given. */
  attemptTimeoutMs?: number
  /** For every call, unless it says otherwise: on whose behalf, in which environment, and what ends it. */
  defaults?: Pick<CallOptions, 'actAsMerchant' | 'environment' | 'headers' | 'signal'>
  /** In place of the platform's. */
  fetch?: typeof fetch
}

/**
 * The API of Delivery Dispatch: a method for each call, named as in its reference. Parts of the path come first, then the
 * body or the query, then options of the call.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- its methods are made from the table of operations below
export interface DeliveryDispatch extends Operations {}
export class DeliveryDispatch {
  readonly #sender: Sender
  readonly events: {
    /** The events of the merchant, oldest first, and on as they happen. At least once: deduplicate by `event_id`. */
    follow(options?: FollowOptions): AsyncGenerator<Followed, void, undefined>
  }

  constructor({
    credential,
    baseUrl,
    fetch: given,
    maxRetries,
    timeoutMs,
    attemptTimeoutMs,
    defaults,
  }: DispatchOptions) {
    this.#sender = {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      credential,
      // Bound, for browsers refuse a fetch that is called as a method of something else.
      fetch: given ?? ((input, init) => fetch(input, init)),
      maxRetries: maxRetries ?? 4,
      timeoutMs: timeoutMs ?? 60_000,
      attemptTimeoutMs: attemptTimeoutMs ?? 20_000,
      defaults: defaults ?? {},
    }
    this.events = { follow: (options) => follow(this, options) }
  }

  static {
    for (const [name, operation] of Object.entries<OperationShape>(OPERATIONS))
      Object.defineProperty(DeliveryDispatch.prototype, name, {
        value(this: DeliveryDispatch, ...given: unknown[]) {
          return this.#call(operation, given)
        },
      })
  }

  #call({ method, path: template, input: place, key = false, page }: OperationShape, given: unknown[]): unknown {
    const rest = [...given]
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, rest.shift()))
    const input = place ? (rest.shift() as Input) : undefined
    const options = rest.shift() as CallOptions | undefined
    const load = (next?: Next) =>
      send(
        this.#sender,
        { method, path, takesKey: key, [place ?? 'query']: next ? { ...input, ...next } : input },
        options,
      )
    return page
      ? new Pages(load as (next?: Next) => Promise<Page>, page, input?.['offset'] as number | undefined)
      : load()
  }
}

type Input = Readonly<Record<string, unknown>> | undefined

/** A part of a path. An empty one, or one that moves up or stays, would name another route. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || ['', '.', '..'].includes(value))
    throw new TypeError(`${name} must be a string, and neither empty nor . nor ..`)
  return encodeURIComponent(value)
}
