import type { SqlFunction } from '@svc/database'

/**
 * All operations of one subject wait for each other until the transaction ends, so that each sees what the one before
 * left.
 */
export const lockSubjects: SqlFunction = {
  name: 'lock_subjects',
  sql: `
CREATE OR REPLACE FUNCTION lock_subjects(p_kind text, p_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(key)
     FROM (SELECT DISTINCT hashtextextended(p_kind || ':' || id, 0) AS key FROM unnest(p_ids) AS id ORDER BY key) sorted;
END $$;`,
}
