import { setTimeout as delay } from 'node:timers/promises'
import { ROOT_CONTEXT, context as tracing } from '@opentelemetry/api'
import { isOutage, isTimeout } from '@svc/database'
import { type ConsumerSpan, consumerSpan, type FactMessage, type PartitionWork } from '@svc/kafka'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from '@svc/transact'
import { admit } from './admit.ts'
import type { Consumer } from './consumer.ts'
import { merged } from './merged.ts'
import { park } from './park.ts'
import { receivedFact } from './received-fact.ts'

const logger = createLogger('consumer')
const TRIES = 5
const FIRST_RETRY_MS = 50
/** Well below the 10 s after which Kafka gives the partition to another member. */
const OUTAGE_PAUSE_MS = { first: 100, last: 2_000 }
/** For so long a statement that takes too long is the database's fault: twice the time limit of one. */
const TIMEOUT_PATIENCE_MS = 60_000

export interface Handling<C> {
  transact: Transact
  context: C
  consumer: Consumer<C>
}

/** Handles facts of one partition, of which `work` tells whether it is still ours. */
export type HandleFacts = (facts: readonly FactMessage[], work: Hold) => Promise<void>
type Hold = Pick<PartitionWork, 'alive' | 'isCurrent'>

/**
 * Handles facts of a partition in order, each effect once; a batch consumer's, with those that other partitions bring
 * meanwhile, in one transaction. A fact that fails five times is parked and the others go on; an outage, be it that
 * others hold a lock, is waited out. Throws where the partition is no longer ours, or nothing can be recorded, so that
 * the facts are delivered again.
 */
export function factHandler<C>(handling: Handling<C>): HandleFacts {
  const together = merged<FactMessage>((facts) => handledTogether(handling, facts))
  const timeouts = new Map<string, number>()
  return async (facts, work) => {
    if (handling.consumer.batch && (await untilThere(work, () => together(facts)))) return
    for (const fact of facts) {
      await handleOne(handling, fact, work, timeouts)
      await work.alive()
    }
  }
}

/** The outcome of a batch, which throws for an outage alone. */
async function untilThere(work: Hold, handle: () => Promise<boolean>): Promise<boolean> {
  for (let outages = 1; ; outages++) {
    try {
      return await handle()
    } catch (error) {
      await waitOut(work, outages, error)
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

/** `timeouts` remembers since when facts run into the time limit of statements, over redeliveries too. */
async function handleOne<C>(
  handling: Handling<C>,
  fact: FactMessage,
  work: Hold,
  timeouts: Map<string, number>,
): Promise<void> {
  const eventId = fact.headers['ce_id']!
  const isOutageNow = (error: unknown) => {
    if (!isTimeout(error)) return isOutage(error)
    if (!timeouts.has(eventId)) timeouts.set(eventId, performance.now())
    return performance.now() - timeouts.get(eventId)! < TIMEOUT_PATIENCE_MS
  }
  let poison: unknown
  for (let failures = 0, outages = 0; ; ) {
    try {
      if (failures < TRIES) await handleAlone(handling, fact)
      else await parkPoison(handling, fact, poison)
      timeouts.delete(eventId)
      return
    } catch (error) {
      if (isOutageNow(error)) {
        await waitOut(work, ++outages, error)
        continue
      }
      if (failures === TRIES) throw error
      poison = error
      failures += 1
      if (failures < TRIES) await delay(FIRST_RETRY_MS * 2 ** (failures - 1) * (0.5 + Math.random()))
    }
  }
}

async function handleAlone<C>(handling: Handling<C>, fact: FactMessage): Promise<void> {
  const span = consumerSpan(fact)
  try {
    await tracing.with(span.context, () => handleInTransaction(handling, [fact], [span]))
    span.end()
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Waits before the next try, longer each time, and keeps the membership meanwhile; throws where the partition is gone. */
async function waitOut(work: Hold, outages: number, error: unknown): Promise<void> {
  logger.warn({ err: error, outages }, 'facts wait for the database')
  await work.alive()
  await delay(Math.min(OUTAGE_PAUSE_MS.first * 2 ** (outages - 1), OUTAGE_PAUSE_MS.last) * (0.5 + Math.random() / 2))
  if (!work.isCurrent()) throw error
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
  // A replica that had been taken for dead may have handled it after all.
  if (!(await park(transact, consumer.name, fact, error, TRIES))) return
  logger.error(
    { err: error, consumer: consumer.name, event_id: fact.headers['ce_id'], alert: 'fact_parked' },
    'a fact cannot be handled; it is parked',
  )
  count('parked', consumer.name, 1)
}

function count(outcome: string, consumer: string, facts: number): void {
  metrics.counter('consumer_facts_total', 'Facts received, by what became of them').add(facts, { consumer, outcome })
}
