import type { SqlFunction } from '@svc/database'
import { BOUNDED_FIELDS } from '../../domain/bounded-fields.ts'

/** Of a row in a list 128 KiB; 4 KiB of them are left to everything but the unified record. */
export const LISTED_BYTES = 124 * 1024
const known = BOUNDED_FIELDS.map((field) => `'${field}'`).join(', ')

/**
 * The unified record as a list shows it: whole up to the limit, beyond it cut in the order of facts: the caller's payload,
 * then the items, then keys that this service does not know. Here and not in the process, which would hold the whole page.
 */
export const listedRecord: SqlFunction = {
  name: 'listed_record',
  sql: `
CREATE OR REPLACE FUNCTION listed_record(p_record json) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_cut constant json := '{"truncated":true}';
  v_text text := p_record::text;
  v_record json;
  v_standardized json;
BEGIN
  IF octet_length(v_text) <= ${LISTED_BYTES} THEN RETURN v_text; END IF;
  SELECT json_object_agg(key, CASE key WHEN 'raw_payload' THEN v_cut ELSE value END) INTO v_record
    FROM json_each(p_record);
  IF octet_length(v_record::text) <= ${LISTED_BYTES} THEN RETURN v_record; END IF;
  SELECT json_object_agg(key, CASE key WHEN 'items' THEN v_cut ELSE value END) INTO v_standardized
    FROM json_each(v_record -> 'standardized');
  SELECT json_object_agg(key, CASE key WHEN 'standardized' THEN v_standardized ELSE value END) INTO v_record
    FROM json_each(v_record);
  IF octet_length(v_record::text) <= ${LISTED_BYTES} THEN RETURN v_record; END IF;
  SELECT json_object_agg(key, value) INTO v_standardized
    FROM (SELECT * FROM json_each(v_standardized) WHERE key IN ('items', ${known})
          UNION ALL SELECT 'truncated', 'true'::json) kept;
  SELECT json_object_agg(key, CASE key WHEN 'standardized' THEN v_standardized ELSE value END) INTO v_record
    FROM json_each(v_record);
  RETURN v_record;
END $$;`,
}
