export const SHARDS = 16

/** The outbox shard of an aggregate; the SQL function outbox_shard(uuid) gives the same answer. */
export function shardOf(aggregateId: string): number {
  return Number.parseInt(aggregateId.slice(-2), 16) % SHARDS
}
