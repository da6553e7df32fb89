import type { SqlFunction } from '@svc/database'

/** A body is the JSON of its event with the id of the delivery in front. */
export const deliveryBody: SqlFunction = {
  name: 'delivery_body',
  sql: `
CREATE OR REPLACE FUNCTION delivery_body(p_id uuid, p_envelope text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT convert_to('{"delivery_id":"' || p_id || '",' || substr(p_envelope, 2), 'UTF8');
$$;`,
}
