import type { ReceivedFact } from './received-fact.ts'
import type { Tx } from './transact.ts'

interface Definition<M> {
  /** Without its prefix. */
  topic: string
  types: readonly string[]
  message: { decode(bytes: Uint8Array): M }
  /** What the inbox remembers it by; never change it. Defaults to `topic:type+type`. */
  name?: string
}

interface OneByOne<M, C> extends Definition<M> {
  batch?: false
  handle(fact: ReceivedFact<M>, tx: Tx, context: C): Promise<void>
}

interface InBatches<M, C> extends Definition<M> {
  batch: true
  /** Facts of some partitions, each partition's in order, each once; when it throws they come again one by one. */
  handle(facts: ReceivedFact<M>[], tx: Tx, context: C): Promise<void>
}

export interface Consumer<C> {
  readonly name: string
  readonly topic: string
  readonly types: ReadonlySet<string>
  readonly batch: boolean
  readonly message: { decode(bytes: Uint8Array): unknown }
  handle(facts: ReceivedFact<unknown>[], tx: Tx, context: C): Promise<void>
}

/**
 * What a service does about a fact, in a transaction that also records the event id: a redelivered fact is a no-op.
 * The transaction spans every tenant.
 */
export function consumer<M, C>(definition: OneByOne<M, C> | InBatches<M, C>): Consumer<C> {
  const { topic, types, message } = definition
  return {
    name: definition.name ?? `${topic}:${types.join('+')}`,
    topic,
    types: new Set(types),
    batch: definition.batch ?? false,
    message,
    async handle(facts, tx, context) {
      if (definition.batch) return definition.handle(facts as ReceivedFact<M>[], tx, context)
      for (const fact of facts) await definition.handle(fact as ReceivedFact<M>, tx, context)
    },
  }
}
