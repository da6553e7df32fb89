import type { SqlFunction } from '@svc/database'

/**
 * Keeps a hook that came for the first time, with its fact where it has one, or answers the row of the
 * earlier delivery. Of deliveries at the same moment one is first; the others wait for its commit.
 */
export const receiveHook: SqlFunction = {
  name: 'receive_hook',
  sql: `
CREATE OR REPLACE FUNCTION receive_hook(
  p_id uuid, p_channel text, p_signer text, p_dedupe_key text, p_path_merchant_id uuid, p_merchant_id uuid,
  p_headers jsonb, p_body bytea, p_event text, p_state hook_state, p_reason text, p_received_at timestamptz,
  p_fact_id uuid, p_fact_type text, p_fact_payload bytea, p_fact_headers jsonb)
RETURNS TABLE (hook_id uuid, is_new boolean, hook_state hook_state, is_same boolean) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, path_merchant_id, merchant_id, headers, body, event, state,
                             reason, attempts, received_at, handed_on_at, dead_at)
  VALUES (p_id, p_channel, p_signer, p_dedupe_key, p_path_merchant_id, p_merchant_id, p_headers, p_body, p_event, p_state,
          p_reason, CASE p_state WHEN 'ignored' THEN 0 ELSE 1 END, p_received_at,
          CASE p_state WHEN 'received' THEN p_received_at END, CASE p_state WHEN 'dead' THEN p_received_at END)
  ON CONFLICT (channel, signer, dedupe_key) DO NOTHING;
  IF NOT FOUND THEN
    RETURN QUERY SELECT h.id, false, h.state,
                        h.path_merchant_id IS NOT DISTINCT FROM p_path_merchant_id AND h.body = p_body
                   FROM inbound_hooks h
                  WHERE h.channel = p_channel AND h.signer = p_signer AND h.dedupe_key = p_dedupe_key;
    RETURN;
  END IF;
  IF p_fact_id IS NOT NULL THEN
    INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload, headers, created_at)
    VALUES (p_fact_id, outbox_shard(p_id), 'hook', p_id, 1, p_path_merchant_id, false, p_fact_type, p_fact_payload, p_fact_headers, p_received_at);
  END IF;
  RETURN QUERY SELECT p_id, true, p_state, true;
END $$;
`,
}
