import { encodeFact, type FactName, facts as table } from '@svc/contracts/facts'
import { currentTraceparent } from '@svc/telemetry'
import { eventIdOf } from './event-id.ts'
import type { Fact } from './fact.ts'
import { shardOf } from './shard.ts'
import type { Tx } from './transact.ts'

/** A fact as the outbox keeps it. */
export interface OutboxFact extends Omit<Fact<FactName>, 'payload'> {
  eventId: string
  payload: Buffer
}

/** Fixes the id, the trace and the bytes of a fact at the moment of its announcement. */
export function outboxFact<N extends FactName>(fact: Fact<N>): OutboxFact {
  return {
    ...fact,
    eventId: fact.eventId ?? eventIdOf(fact.aggregateId, fact.type, fact.aggregateVersion),
    traceparent: fact.traceparent ?? currentTraceparent(),
    payload: encodeFact(fact.type, fact.payload),
  }
}

const COLUMNS = [
  ['event_id', 'uuid', (fact) => fact.eventId],
  ['shard', 'smallint', (fact) => shardOf(fact.aggregateId)],
  ['aggregate_type', 'text', (fact) => table[fact.type].subject],
  ['aggregate_id', 'uuid', (fact) => fact.aggregateId],
  ['aggregate_version', 'int', (fact) => fact.aggregateVersion],
  ['merchant_id', 'uuid', (fact) => fact.merchantId],
  ['is_test', 'bool', (fact) => fact.isTest],
  ['type', 'text', (fact) => fact.type],
  ['payload', 'bytea', (fact) => fact.payload],
  ['headers', 'jsonb', (fact) => JSON.stringify(fact.traceparent ? { traceparent: fact.traceparent } : {})],
] as const satisfies ReadonlyArray<readonly [string, string, (fact: OutboxFact) => unknown]>

const INSERT = `
  INSERT INTO outbox (${COLUMNS.map(([name]) => name).join(', ')}, created_at)
  SELECT *, $${COLUMNS.length + 1}::timestamptz
    FROM unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})`

/** Writes the facts in the order given, in one statement. */
export async function insertFacts(sql: Tx['sql'], facts: readonly OutboxFact[], createdAt: Date): Promise<void> {
  await sql(INSERT, [...COLUMNS.map(([, , valueOf]) => facts.map((fact) => valueOf(fact))), createdAt])
}
