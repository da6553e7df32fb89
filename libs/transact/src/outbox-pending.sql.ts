import type { SqlFunction } from '@svc/database'

/**
 * The oldest facts that are still to be published, by the index that holds nothing else. Left to itself the planner thinks
 * of a few, which is what statistics say of most moments, and sorts a whole backlog for each page that is read of it.
 */
export const outboxPending: SqlFunction = {
  name: 'outbox_pending',
  sql: `
CREATE OR REPLACE FUNCTION outbox_pending(p_shards smallint[], p_under_way uuid[], p_limit int) RETURNS SETOF outbox
  LANGUAGE plpgsql STABLE SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT * FROM outbox
    WHERE published_at IS NULL AND parked_at IS NULL AND shard = ANY (p_shards)
      AND event_id NOT IN (SELECT unnest(p_under_way))
    ORDER BY seq LIMIT p_limit;
END $$;`,
}
