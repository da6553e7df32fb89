import type { SqlFunction } from '@svc/database'

/** Whether the events of an environment are sent: those of the sandbox go to the live endpoint where the sandbox has no URL. */
export const endpointEnabled: SqlFunction = {
  name: 'endpoint_enabled',
  sql: `
CREATE OR REPLACE FUNCTION endpoint_enabled(e endpoint, p_is_test bool) RETURNS bool LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_is_test AND e.test_url IS NOT NULL THEN coalesce(e.test_enabled, e.enabled) ELSE e.enabled END;
$$;`,
}
