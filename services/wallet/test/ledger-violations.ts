export type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/**
 * What no sequence of operations, crashes and repeats may break. Each query finds violations; `$1` narrows it to some
 * merchants, null looks at all.
 */
const INVARIANTS: Record<string, string> = {
  'every operation sums to zero': `
    SELECT l.op_key FROM ledger_lines l JOIN wallet_ops o USING (op_key)
     WHERE $1::uuid[] IS NULL OR o.merchant_id = ANY ($1) GROUP BY l.op_key, l.currency, l.is_test HAVING sum(l.amount_minor) <> 0`,
  'only what was applied has lines, and all of it': `
    SELECT o.op_key FROM wallet_ops o
     WHERE ($1::uuid[] IS NULL OR o.merchant_id = ANY ($1))
       AND (o.outcome = 'applied') <> EXISTS (SELECT FROM ledger_lines l WHERE l.op_key = o.op_key)`,
  'a balance is the sum of its lines, and its version counts them': `
    WITH scope AS (SELECT * FROM accounts a WHERE a.floor_minor IS NOT NULL AND ($1::uuid[] IS NULL
        OR a.owner_id = ANY ($1) OR a.id IN (SELECT l.account_id FROM ledger_lines l JOIN wallet_ops o USING (op_key) WHERE o.merchant_id = ANY ($1))))
    SELECT a.id, a.owner_kind, a.purpose FROM scope a LEFT JOIN ledger_lines l ON l.account_id = a.id
     GROUP BY a.id, a.owner_kind, a.purpose, a.balance_minor, a.version
    HAVING a.balance_minor <> coalesce(sum(l.amount_minor), 0) OR a.version <> count(l.op_key)`,
  'balances after each line form an unbroken chain that never goes below zero': `
    WITH chain AS (
      SELECT l.op_key, l.amount_minor, l.balance_after_minor, l.account_version,
             lag(l.balance_after_minor, 1, 0) OVER w AS before, row_number() OVER w AS nth
        FROM ledger_lines l JOIN accounts a ON a.id = l.account_id AND a.floor_minor IS NOT NULL
       WHERE $1::uuid[] IS NULL OR a.owner_id = ANY ($1)
          OR a.id IN (SELECT m.account_id FROM ledger_lines m JOIN wallet_ops o USING (op_key) WHERE o.merchant_id = ANY ($1))
      WINDOW w AS (PARTITION BY l.account_id ORDER BY l.account_version))
    SELECT op_key FROM chain WHERE balance_after_minor <> before + amount_minor OR account_version <> nth OR balance_after_minor < 0`,
  'nothing is applied twice for one business key': `
    SELECT kind, subject_id FROM wallet_ops
     WHERE outcome = 'applied' AND subject_id IS NOT NULL AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1))
     GROUP BY kind, subject_id HAVING count(*) > 1`,
  'no order pays a commission twice': `
    SELECT l.order_id FROM ledger_lines l JOIN wallet_ops o USING (op_key)
     WHERE l.entry_type = 'commission_credit' AND ($1::uuid[] IS NULL OR o.merchant_id = ANY ($1))
     GROUP BY l.order_id HAVING count(*) > 1`,
  'a hold gives out no more than it has, and its parts add up': `
    SELECT h.id FROM holds h
     WHERE ($1::uuid[] IS NULL OR h.merchant_id = ANY ($1))
       AND (h.captured_minor + h.released_minor > h.amount_minor
         OR h.captured_minor <> (SELECT coalesce(sum(c.amount_minor), 0) FROM hold_captures c WHERE c.hold_id = h.id))`,
  'what is held is what open holds have left and what is being withdrawn': `
    SELECT a.id FROM accounts a
     WHERE a.purpose = 'held' AND a.floor_minor IS NOT NULL AND ($1::uuid[] IS NULL OR a.owner_id = ANY ($1))
       AND a.balance_minor <> (SELECT coalesce(sum(h.amount_minor - h.captured_minor - h.released_minor), 0) FROM holds h
             WHERE h.payer_kind = a.owner_kind AND h.payer_id = a.owner_id AND h.is_test = a.is_test
               AND h.currency = a.currency AND h.state = 'placed')
           + (SELECT coalesce(sum(w.amount_minor), 0) FROM withdrawals w
             WHERE w.owner_kind = a.owner_kind AND w.owner_id = a.owner_id AND NOT a.is_test
               AND w.currency = a.currency AND w.status IN ('pending_review', 'approved', 'processing'))`,
  'what left for the provider is what is paid': `
    SELECT w.id FROM withdrawals w
     WHERE ($1::uuid[] IS NULL OR w.owner_id = ANY ($1))
       AND (SELECT coalesce(sum(l.amount_minor), 0) FROM wallet_ops o JOIN ledger_lines l USING (op_key) JOIN accounts a ON a.id = l.account_id
             WHERE o.about ->> 'withdrawal_id' = w.id::text AND a.owner_kind = 'provider')
           <> CASE w.status WHEN 'paid' THEN w.amount_minor ELSE 0 END`,
  'what riders have in hand is what was collected less what was handed over, and the ledger says the same': `
    SELECT c.id FROM cash_accounts c JOIN accounts a ON a.owner_kind = 'cash' AND a.owner_id = c.id
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(l.amount_minor) FILTER (WHERE l.entry_type = 'cash_collected'), 0) AS collected,
              coalesce(sum(l.amount_minor) FILTER (WHERE l.entry_type = 'cash_remitted'), 0) AS remitted,
              coalesce(sum(l.amount_minor) FILTER (WHERE l.entry_type = 'cash_adjusted'), 0) AS adjusted
         FROM ledger_lines l WHERE l.account_id = a.id) AS booked
     WHERE ($1::uuid[] IS NULL OR c.merchant_id = ANY ($1))
       AND (a.balance_minor, booked.collected, -booked.remitted, booked.adjusted)
           IS DISTINCT FROM (c.in_hand_minor, c.collected_minor, c.remitted_minor, c.adjusted_minor)`,
  'a key that was given up moved nothing': `
    SELECT l.op_key FROM ledger_lines l JOIN wallet_ops o USING (op_key) WHERE o.outcome = 'aborted'`,
  'test orders move no money but what their shipment holds': `
    SELECT op_key FROM ledger_lines WHERE is_test AND entry_type <> 'shipment_release' AND entry_type::text NOT LIKE 'cash%'
       AND (order_id IS NOT NULL OR entry_type::text LIKE 'commission%')`,
}

const GRAND_TOTAL =
  'SELECT currency, is_test FROM ledger_lines GROUP BY currency, is_test HAVING sum(amount_minor) <> 0'

/** Every violation found, by the name of what it violates. */
export async function violations(sql: Sql, merchantIds: string[] | null = null): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const [name, query] of Object.entries(INVARIANTS)) {
    const rows = await sql<object>(query, query.includes('$1') ? [merchantIds] : [])
    if (rows.length > 0) found[name] = rows
  }
  if (merchantIds === null) {
    const rows = await sql<object>(GRAND_TOTAL)
    if (rows.length > 0) found['all lines together sum to zero'] = rows
  }
  return found
}
