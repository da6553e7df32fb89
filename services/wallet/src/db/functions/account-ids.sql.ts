import type { SqlFunction } from '@svc/database'

/** Answers the accounts of these owners, in their order; those that are missing are opened. */
export const accountIds: SqlFunction = {
  name: 'account_ids',
  sql: `
CREATE OR REPLACE FUNCTION account_ids(
  p_owner_kinds owner_kind[], p_owner_ids uuid[], p_purposes account_purpose[], p_currency text, p_is_test boolean)
RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
  v_ids uuid[] := '{}';
BEGIN
  FOR i IN 1 .. cardinality(p_owner_ids) LOOP
    SELECT a.id INTO v_id FROM accounts a
     WHERE a.owner_kind = p_owner_kinds[i] AND a.owner_id = p_owner_ids[i] AND a.purpose = p_purposes[i]
       AND a.currency = p_currency AND a.is_test = p_is_test;
    v_ids[i] := v_id;
  END LOOP;
  IF array_position(v_ids, NULL) IS NULL THEN RETURN v_ids; END IF;

  INSERT INTO accounts (owner_kind, owner_id, purpose, currency, is_test, floor_minor)
  SELECT DISTINCT w.owner_kind, w.owner_id, w.purpose, p_currency, p_is_test,
         CASE WHEN w.owner_kind NOT IN ('operator', 'provider') THEN 0 END
    FROM unnest(p_owner_kinds, p_owner_ids, p_purposes) AS w (owner_kind, owner_id, purpose)
   ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;
  RETURN account_ids(p_owner_kinds, p_owner_ids, p_purposes, p_currency, p_is_test);
END $$;`,
}
