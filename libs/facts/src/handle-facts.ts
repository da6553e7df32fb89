import { setTimeout as delay } from 'node:timers/promises'
import { ROOT_CONTEXT, context as tracing } from '@opentelemetry/api'
import { type ConsumerSpan, consumerSpan, type FactMessage } from '@svc/kafka'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from '@svc/transact'
import { admit } from './admit.ts'
import type { Consumer } from './consumer.ts'
import { isOutage } from './is-outage.ts'
import { merged } from './merged.ts'
import { park } from './park.ts'
import { receivedFact } from './received-fact.ts'

const logger = createLogger('consumer')
const TRIES = 5
const FIRST_RETRY_MS = 50

export interface Handling<C> {
  transact: Transact
  context: C
  consumer: Consumer<C>
}

/** Handles facts of one partition; `alive` is called between those that are handled one by one. */
export type HandleFacts = (facts: readonly FactMessage[], alive: () => Promise<void>) => Promise<void>

/**
 * Handles facts of a partition in order, each effect once; a batch consumer's, with those that other partitions bring
 * meanwhile, in one transaction. A fact that fails five times is parked and the others go on; throws only where nothing
 * can be recorded, so that the facts are delivered again.
 */
export function factHandler<C>(handling: Handling<C>): HandleFacts {
  const together = merged<FactMessage>((facts) => handledTogether(handling, facts))
  return async (facts, alive) => {
    if (handling.consumer.batch && (await together(facts))) return
    for (const fact of facts) {
      await handleOne(handling, fact)
      await alive()
    }
  }
}

/** False for a single fact, and when the batch failed as a whole: some fact in it may be at fault. */
async function handledTogether<C>(handling: Handling<C>, facts: readonly FactMessage[]): Promise<boolean> {
  if (facts.length === 1) return false
  const spans = facts.map(consumerSpan)
  try {
    // The statements of a batch belong to no single trace.
    await tracing.with(ROOT_CONTEXT, () => handleInTransaction(handling, facts, spans))
    for (const span of spans) span.end()
    return true
  } catch (error) {
    for (const span of spans) span.end(error)
    if (isOutage(error)) throw error
    return false
  }
}

async function handleOne<C>(handling: Handling<C>, fact: FactMessage): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const span = consumerSpan(fact)
    try {
      await tracing.with(span.context, () => handleInTransaction(handling, [fact], [span]))
      return span.end()
    } catch (error) {
      span.end(error)
      if (isOutage(error)) throw error
      if (attempt === TRIES) return parkPoison(handling, fact, error)
      await delay(FIRST_RETRY_MS * 2 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }
}

async function handleInTransaction<C>(
  { transact, consumer, context }: Handling<C>,
  facts: readonly FactMessage[],
  spans: readonly ConsumerSpan[],
): Promise<void> {
  const spanOf = new Map(facts.map((fact, index) => [fact, spans[index]]))
  await transact('every tenant', async (tx) => {
    const fresh = await admit(tx, consumer.name, facts)
    if (fresh.length === 0) return
    const received = fresh.map((fact) => receivedFact(fact, spanOf.get(fact)?.traceparent))
    await consumer.handle(received, tx, context)
  })
  count('handled', consumer.name, facts.length)
}

async function parkPoison<C>(handling: Handling<C>, fact: FactMessage, error: unknown): Promise<void> {
  const { consumer, transact } = handling
  logger.error(
    { err: error, consumer: consumer.name, event_id: fact.headers['ce_id'], alert: 'fact_parked' },
    'a fact cannot be handled; it is parked',
  )
  await park(transact, consumer.name, fact, error, TRIES)
  count('parked', consumer.name, 1)
}

function count(outcome: string, consumer: string, facts: number): void {
  metrics.counter('consumer_facts_total', 'Facts received, by what became of them').add(facts, { consumer, outcome })
}
