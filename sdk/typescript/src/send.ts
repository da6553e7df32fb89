import { ConnectionError, DispatchError, TimeoutError } from './errors.ts'
import { pause } from './pause.ts'

/** What a single call may ask for, beside its input. */
export interface CallOptions {
  /** Names this request for 24 hours, where the call takes a key; one is made unless given. */
  idempotencyKey?: string
  /** With a log-in: `test` acts in the sandbox. A key has its environment in itself. */
  environment?: 'test'
  /** Id of a merchant that has granted this one to act for it. */
  actAsMerchant?: string
  /** Milliseconds for the whole call, repeats and waits included. */
  timeoutMs?: number
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
}

/** A key (`svc_test_…`, `svc_live_…`) or a token; or a function that gives one, and is asked once more when it was refused. */
export type Credential = string | ((refused: boolean) => string | Promise<string>)

export interface Sender {
  baseUrl: string
  credential: Credential | undefined
  fetch: typeof fetch
  defaults: CallOptions
  timeoutMs: number
  attemptTimeoutMs: number
  maxRetries: number
}

export interface Outgoing {
  method: string
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  /** Whether the call takes an Idempotency-Key. */
  takesKey: boolean
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000

/** Sends a request until it is answered for good, and returns the body of a success. */
export async function send(sender: Sender, outgoing: Outgoing, own: CallOptions = {}): Promise<unknown> {
  const options = { ...sender.defaults, ...own, headers: { ...sender.defaults.headers, ...own.headers } }
  const deadline = Date.now() + (options.timeoutMs ?? sender.timeoutMs)
  // The same key for every repeat: that is what makes them one request.
  const key = outgoing.takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const mayRepeat = key !== undefined || outgoing.method !== 'POST'
  let refused = false
  for (let attempt = 0; ; attempt++) {
    const failure = await once(sender, outgoing, options, { key, refused, deadline })
    if (!('error' in failure)) return failure.body
    const { error } = failure
    if (error instanceof DispatchError && error.status === 401 && typeof sender.credential === 'function' && !refused) {
      refused = true
      continue
    }
    const wait = waitAfter(error, attempt, mayRepeat)
    if (wait === undefined || attempt >= sender.maxRetries || Date.now() + wait >= deadline) throw error
    await pause(wait, options.signal)
  }
}

interface Attempt {
  key: string | undefined
  refused: boolean
  deadline: number
}

async function once(
  sender: Sender,
  outgoing: Outgoing,
  options: CallOptions,
  { key, refused, deadline }: Attempt,
): Promise<{ body: unknown } | { error: unknown }> {
  options.signal?.throwIfAborted()
  const headers = new Headers(options.headers)
  if (sender.credential !== undefined) {
    const token = typeof sender.credential === 'string' ? sender.credential : await sender.credential(refused)
    headers.set('authorization', `Bearer ${token}`)
  }
  if (key !== undefined) headers.set('idempotency-key', key)
  if (options.environment) headers.set('x-service-environment', options.environment)
  if (options.actAsMerchant) headers.set('x-service-act-as-merchant', options.actAsMerchant)
  headers.set('accept', 'application/json')
  // A form brings a type of its own, with its boundary.
  const isForm = outgoing.body instanceof FormData
  if (outgoing.body !== undefined && !isForm) headers.set('content-type', 'application/json')

  const timeout = AbortSignal.timeout(Math.max(1, Math.min(sender.attemptTimeoutMs, deadline - Date.now())))
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    const response = await sender.fetch(sender.baseUrl + outgoing.path + queryOf(outgoing.query), {
      method: outgoing.method,
      headers,
      body: isForm
        ? (outgoing.body as FormData)
        : outgoing.body === undefined
          ? undefined
          : JSON.stringify(outgoing.body),
      signal,
      // Not `error`, which edge runtimes refuse: a redirect is an answer that is none.
      redirect: 'manual',
    })
    // Of a body that broke off nothing is known either, hence within the try.
    const text = await response.text()
    const body = parsed(text)
    if (!response.ok) return { error: new DispatchError(response, body) }
    if (body === undefined && text !== '') return { error: new ConnectionError('The answer is not JSON.') }
    return { body }
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason
    if (timeout.aborted) return { error: new TimeoutError('No answer came in time.', { cause: error }) }
    return { error: new ConnectionError('The connection failed.', { cause: error }) }
  }
}

/** Milliseconds until the next try, or undefined where another try would be wrong. */
function waitAfter(error: unknown, attempt: number, mayRepeat: boolean): number | undefined {
  if (error instanceof DispatchError) {
    // Refused unread, or still being carried out: asking again is right whatever the call does.
    const isAnswerToAsk = error.status === 429 || error.code === 'idempotency_in_progress'
    if (!isAnswerToAsk && !(mayRepeat && error.status >= 500)) return undefined
    if (error.retryAfterSeconds !== undefined) return jittered(error.retryAfterSeconds * 1000, 0.25)
  } else if (!mayRepeat) return undefined
  return jittered(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt), 1)
}

/** Longer by a random part, so that those who were refused together do not come again together. */
const jittered = (ms: number, part: number): number => ms * (1 + part * Math.random())

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function queryOf(query: Outgoing['query']): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, `${value as string | number | boolean}`)
  return search.size > 0 ? `?${search}` : ''
}
