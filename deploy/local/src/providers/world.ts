/** Something that a provider was asked to hand to a person. */
export interface OutboxItem {
  id: string
  at: string
  channel: 'email' | 'sms'
  to: string
  template: string | null
  subject?: string
  text: string
  html?: string
  /** Value of `?token=` in the first link that has one. */
  token?: string
  /** The first run of six digits in a text message or mail without a token. */
  code?: string
}

export interface RecordedRequest {
  at: string
  provider: string
  method: string
  /** Below the provider's prefix, without the query. */
  path: string
  query: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
  /** Parsed JSON where it is JSON, else the text as it came; null when empty. */
  body: unknown
}

/** Everything that the control routes show, and the clock that stamps it. */
export interface World {
  outbox: OutboxItem[]
  requests: RecordedRequest[]
  now: () => Date
  setNow(now: Date): void
  reset(): void
}

/** An empty world on the machine's clock; nothing of it outlives the process. */
export function createWorld(): World {
  let offsetMs = 0
  return {
    outbox: [],
    requests: [],
    now: () => new Date(Date.now() + offsetMs),
    setNow(now) {
      offsetMs = now.getTime() - Date.now()
    },
    reset() {
      this.outbox.length = 0
      this.requests.length = 0
      offsetMs = 0
    },
  }
}
