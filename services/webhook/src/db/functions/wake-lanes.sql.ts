import type { SqlFunction } from '@svc/database'

/**
 * Lanes are always locked in the order of their keys, so that no two transactions wait for each other. Most batches of
 * events wake none.
 */
export const wakeLanes: SqlFunction = {
  name: 'wake_lanes',
  sql: `
CREATE OR REPLACE FUNCTION wake_lanes(p_merchants uuid[], p_tests bool[], p_due timestamptz[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_merchants IS NULL THEN RETURN; END IF;
  INSERT INTO lane (merchant_id, is_test, due_at)
  SELECT merchant_id, is_test, min(due) FROM unnest(p_merchants, p_tests, p_due) AS t (merchant_id, is_test, due)
   GROUP BY merchant_id, is_test ORDER BY merchant_id, is_test
  ON CONFLICT (merchant_id, is_test) DO UPDATE SET due_at = greatest(excluded.due_at, lane.open_until)
   WHERE lane.due_at > greatest(excluded.due_at, lane.open_until);
END $$;`,
}
