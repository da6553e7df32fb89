import { type FactName, topicsOf } from '@svc/contracts/facts'
import type { Tx } from '@svc/transact'
import type { ReceivedFact } from './received-fact.ts'

interface Definition<N extends FactName> {
  /** What the inbox remembers it by, in kebab-case; it never changes. */
  name: string
  of: readonly N[]
  /**
   * For so long it may wait for further facts when it has just handled some; 0 unless told otherwise. A fact that comes alone
   * never waits. A group waits as long as the least patient of its consumers.
   */
  gatherMs?: number
}

interface OneByOne<N extends FactName, C> extends Definition<N> {
  batch?: false
  /** In a service that maps entities `tx` is an OrmTx, and may be declared so. */
  handle(fact: ReceivedFact<N>, tx: Tx, context: C): Promise<void>
}

interface InBatches<N extends FactName, C> extends Definition<N> {
  batch: true
  /** Facts of some partitions, each partition's in order, each once; when it throws they come again one by one. */
  handle(facts: Array<ReceivedFact<N>>, tx: Tx, context: C): Promise<void>
}

export interface Consumer<C> {
  readonly name: string
  readonly topics: ReadonlySet<string>
  readonly batch: boolean
  readonly gatherMs: number
  /** Whether it handles facts of this type from this topic, which is named without its prefix. */
  wants(topic: string, type: string): boolean
  handle(facts: Array<ReceivedFact<FactName>>, tx: Tx, context: C): Promise<void>
}

/**
 * What a service does about facts of these names, in a transaction that also records the event id: a redelivered fact
 * is a no-op. The transaction spans every tenant.
 */
export function consumer<N extends FactName, C = unknown>(definition: OneByOne<N, C> | InBatches<N, C>): Consumer<C> {
  const { name, of } = definition
  const topicsByType = new Map<string, readonly string[]>(of.map((type) => [type, topicsOf(type)]))
  return {
    name,
    topics: new Set([...topicsByType.values()].flat()),
    batch: definition.batch ?? false,
    gatherMs: definition.gatherMs ?? 0,
    wants: (topic, type) => topicsByType.get(type)?.includes(topic) ?? false,
    async handle(facts, tx, context) {
      const wanted = facts as Array<ReceivedFact<N>>
      if (definition.batch) return definition.handle(wanted, tx, context)
      for (const fact of wanted) await definition.handle(fact, tx, context)
    },
  }
}
