/** One CloudEvent in binary mode: attributes as `ce_…` headers, the value is the data. */
export interface FactMessage {
  topic: string
  /** The aggregate: facts with one key keep their order. */
  key: string
  payload: Buffer
  headers: Record<string, string>
  /** Set on facts that were received. */
  partition?: number
  offset?: string
}

/** The broker refuses this one fact for good; facts that were sent with it are not affected. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
  readonly fact: FactMessage

  constructor(fact: FactMessage, cause: unknown) {
    super(`Kafka refuses a fact of ${fact.payload.length} bytes on ${fact.topic}`, { cause })
    this.fact = fact
  }
}
