import type { SqlFunction } from '@svc/database'

/**
 * Decides one operation: locks the accounts in the order of their ids, refuses what would take one below its floor, and
 * writes decision, lines, balances and fact together. Between the lock and the commit no other call can decide about these
 * accounts. Operator and provider accounts are not locked: nothing is decided by their balance.
 *
 * outcome: `applied` or `declined`, a replay with what was decided first; `already_applied` when another key has had the
 * business key; `aborted` when the key was given up before; `conflict` when the key was used for something else.
 */
export const postOperation: SqlFunction = {
  name: 'post_operation',
  sql: `
CREATE OR REPLACE FUNCTION post_operation(
  p_op_key text, p_request_hash bytea, p_kind text, p_subject_id text,
  p_merchant_id uuid, p_is_test boolean, p_currency text, p_order_id uuid, p_about jsonb, p_result jsonb,
  p_owner_kinds owner_kind[], p_owner_ids uuid[], p_purposes account_purpose[], p_entry_types entry_type[], p_amounts bigint[],
  p_fact_id uuid, p_fact_type text, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (outcome text, is_replay boolean, result jsonb)
-- Plans for these arrays, however short they are, would be made anew each time.
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := date_trunc('milliseconds', app_now());
  v_accounts uuid[];
  v_account record;
  v_change bigint;
  v_refusal jsonb;
  v_balances bigint[] := '{}';
  v_versions bigint[] := '{}';
  v_balance bigint;
  v_version bigint;
BEGIN
  RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, p_kind, p_subject_id);
  IF FOUND THEN RETURN; END IF;

  v_accounts := account_ids(p_owner_kinds, p_owner_ids, p_purposes, p_currency, p_is_test);
  FOR v_account IN
    SELECT a.id, a.owner_kind, a.balance_minor, a.floor_minor FROM accounts a
     WHERE a.id = ANY (v_accounts) AND a.floor_minor IS NOT NULL ORDER BY a.id FOR NO KEY UPDATE
  LOOP
    v_change := 0;
    FOR i IN 1 .. cardinality(v_accounts) LOOP
      IF v_accounts[i] = v_account.id THEN v_change := v_change + p_amounts[i]; END IF;
    END LOOP;
    IF v_account.balance_minor + v_change < v_account.floor_minor THEN
      v_refusal := jsonb_build_object('reason', 'insufficient', 'owner_kind', v_account.owner_kind,
                                      'required_minor', -v_change, 'balance_minor', v_account.balance_minor);
    END IF;
  END LOOP;

  -- A twin that was faster holds the key or the business key: this waits for its commit.
  INSERT INTO wallet_ops (op_key, request_hash, kind, subject_id, merchant_id, is_test, outcome, result, about, created_at)
  VALUES (p_op_key, p_request_hash, p_kind, p_subject_id, p_merchant_id, p_is_test,
          CASE WHEN v_refusal IS NULL THEN 'applied' ELSE 'declined' END::op_outcome, coalesce(v_refusal, p_result), p_about, v_now)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN QUERY SELECT * FROM earlier_operation(p_op_key, p_request_hash, p_kind, p_subject_id);
    RETURN;
  END IF;
  IF v_refusal IS NOT NULL THEN
    RETURN QUERY SELECT 'declined', false, v_refusal;
    RETURN;
  END IF;

  FOR i IN 1 .. cardinality(v_accounts) LOOP
    UPDATE accounts a SET balance_minor = a.balance_minor + p_amounts[i], version = a.version + 1, updated_at = v_now
     WHERE a.id = v_accounts[i] AND a.floor_minor IS NOT NULL
    RETURNING a.balance_minor, a.version INTO v_balance, v_version;
    v_balances[i] := v_balance;
    v_versions[i] := v_version;
  END LOOP;
  INSERT INTO ledger_lines (op_key, line_no, account_id, merchant_id, is_test, currency, entry_type, amount_minor,
                            balance_after_minor, account_version, order_id, created_at)
  SELECT p_op_key, l.line_no, l.account_id,
         CASE l.owner_kind WHEN 'merchant' THEN l.owner_id WHEN 'rider' THEN NULL ELSE p_merchant_id END,
         p_is_test, p_currency, l.entry_type, l.amount_minor, l.balance, l.version, p_order_id, v_now
    FROM unnest(v_accounts, p_owner_kinds, p_owner_ids, p_entry_types, p_amounts, v_balances, v_versions) WITH ORDINALITY
      AS l (account_id, owner_kind, owner_id, entry_type, amount_minor, balance, version, line_no);

  IF p_fact_id IS NOT NULL THEN
    INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload, headers, created_at)
    VALUES (p_fact_id, outbox_shard(p_fact_id), 'wallet_operation', p_fact_id, 1, p_merchant_id, p_is_test, p_fact_type, p_fact_payload, p_fact_headers, v_now);
  END IF;
  RETURN QUERY SELECT 'applied', false, p_result;
END $$;`,
}
