import type { SqlFunction } from '@svc/database'

/**
 * Whether an event of an environment is sent: the endpoint is enabled and lists it. What goes to the live URL is what the
 * live endpoint lists.
 */
export const endpointWants: SqlFunction = {
  name: 'endpoint_wants',
  sql: `
CREATE OR REPLACE FUNCTION endpoint_wants(e endpoint, p_is_test bool, p_event text) RETURNS bool
LANGUAGE sql IMMUTABLE AS $$
  SELECT endpoint_enabled(e, p_is_test)
     AND p_event = ANY (CASE WHEN p_is_test AND e.test_url IS NOT NULL THEN coalesce(e.test_events, e.events) ELSE e.events END);
$$;`,
}
