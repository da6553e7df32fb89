import { describe, expect, test } from '@jest/globals'
import type pg from 'pg'
import { functions } from '../src/db/functions/index.ts'
import { explore } from './ledger-commands.ts'
import { openLedger } from './open-ledger.ts'

/** A ledger without one of its safety mechanisms. */
interface Mutant {
  /** Text of the functions that is replaced; each must occur. */
  replace: ReadonlyArray<readonly [from: string, to: string]>
  /** What else guards the same thing and has to go. */
  also?: string
}

const FUNCTIONS = functions.map(({ sql }) => sql).join('\n')

const MUTANTS: Record<string, Mutant> = {
  'records no declines': {
    replace: [
      [
        '  -- A twin that was faster',
        `  IF v_refusal IS NOT NULL THEN RETURN QUERY SELECT 'declined', false, v_refusal; RETURN; END IF;\n  -- A twin`,
      ],
    ],
  },
  'forgets the business key': {
    replace: [[`AND o.subject_id = p_subject_id AND o.outcome = 'applied'`, 'AND false']],
    also: 'DROP INDEX wallet_ops_once; DROP INDEX ledger_lines_one_commission;',
  },
  'reads the balance, then writes it': {
    replace: [['ORDER BY a.id FOR NO KEY UPDATE\n  LOOP', 'ORDER BY a.id LOOP']],
    also: 'ALTER TABLE accounts DROP CONSTRAINT accounts_floor;',
  },
  'leaves no tombstone': {
    replace: [
      [
        `RETURN (SELECT o.outcome::text FROM wallet_ops o WHERE o.op_key = p_op_key);`,
        `DELETE FROM wallet_ops WHERE op_key = p_op_key AND outcome = 'aborted'; RETURN coalesce((SELECT o.outcome::text FROM wallet_ops o WHERE o.op_key = p_op_key), 'aborted');`,
      ],
    ],
    also: 'DROP TRIGGER append_only ON wallet_ops; GRANT DELETE ON wallet_ops TO wallet_worker;',
  },
  'takes another request for a repeat of the first': {
    replace: [['OR v_earlier.request_hash = p_request_hash', 'OR true']],
  },
  'remembers no refusal to release': {
    replace: [
      [
        `  INSERT INTO wallet_ops (op_key, request_hash, kind, merchant_id, outcome, result, created_at)`,
        `  RETURN QUERY SELECT 'declined', false, jsonb_build_object('reason', p_reason); RETURN;\n  INSERT INTO wallet_ops (op_key, request_hash, kind, merchant_id, outcome, result, created_at)`,
      ],
    ],
  },
  'holds for one subject twice': {
    replace: [
      [
        `IF EXISTS (SELECT FROM holds WHERE subject_kind = p_subject_kind`,
        `IF EXISTS (SELECT FROM holds WHERE false AND subject_kind = p_subject_kind`,
      ],
    ],
    also: 'DROP INDEX holds_one_open;',
  },
  'pays out more than it holds': {
    replace: [[`OR v_amount_minor > v_hold.amount_minor - v_hold.captured_minor - v_hold.released_minor THEN`, 'THEN']],
    also: `DO $$ DECLARE c text; BEGIN
      FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = 'holds'::regclass AND contype = 'c' LOOP
        EXECUTE format('ALTER TABLE holds DROP CONSTRAINT %I', c);
      END LOOP; END $$; ALTER TABLE accounts DROP CONSTRAINT accounts_floor;`,
  },
  'pays from the wallet what lies in escrow': {
    replace: [[`IF p_mode = 'pay' AND v_hold.id IS NULL THEN`, `IF p_mode = 'pay' THEN`]],
  },
}

async function mutate(owner: pg.Client, { replace, also }: Mutant): Promise<void> {
  let mutated = FUNCTIONS
  for (const [from, to] of replace) {
    if (!mutated.includes(from)) throw new Error(`the mutant finds nothing to change: ${from}`)
    mutated = mutated.replaceAll(from, () => to)
  }
  await owner.query(mutated)
  if (also) await owner.query(also)
}

describe('the exploration finds a ledger that', () => {
  test.each(Object.entries(MUTANTS))('%s', async (_name, mutant) => {
    const ledger = await openLedger((owner) => mutate(owner, mutant))
    try {
      const { errorInstance } = await explore(ledger, { runs: 200, commands: 50 })
      // Of an expectation: a mutant that cannot even run would be found by anything.
      expect(errorInstance).toHaveProperty('matcherResult')
    } finally {
      await ledger.close()
    }
  })
})

test('a change of nothing is no mutant: the functions as they are pass', async () => {
  const ledger = await openLedger((owner) => mutate(owner, { replace: [['SELECT', 'SELECT']] }))
  try {
    expect(await explore(ledger, { runs: 5, commands: 50 })).toMatchObject({ failed: false })
  } finally {
    await ledger.close()
  }
})
