import { describe, expect, test } from '@jest/globals'
import { type File, files } from './tree.ts'

/** Tables that a migration makes itself: empty, and in nobody's way. */
const tablesMadeBy = (text: string): Set<string> =>
  new Set([...text.matchAll(/CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)/gi)].map(([, table = '']) => table))

const WORDS_OF_TRIGGERS = /\b(?:FOR|BEFORE|AFTER|OR|DO|KEY)\s+$/i

/** Why a statement may hold a lock for longer than a request may wait; null where it may not. */
function faultOf(statement: string, made: ReadonlySet<string>): string | null {
  const isOld = (table: string | undefined) => table !== undefined && !made.has(table)
  if (/\bNO\s+FORCE\s+ROW\s+LEVEL\s+SECURITY\b/i.test(statement)) return 'opens the tenant wall'
  for (const { 1: table, index } of statement.matchAll(
    /\bUPDATE\s+(?:ONLY\s+)?"?(\w+)"?\s+(?:(?:AS\s+)?\w+\s+)?SET\b/gi,
  )) {
    if (isOld(table) && !WORDS_OF_TRIGGERS.test(statement.slice(0, index))) return `updates the rows of ${table}`
  }
  const [, emptied] = /\bDELETE\s+FROM\s+(?:ONLY\s+)?"?(\w+)/i.exec(statement) ?? []
  if (isOld(emptied)) return `deletes rows of ${emptied}`
  const [, indexed] =
    /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?\w*\s*ON\s+(?:ONLY\s+)?"?(\w+)/i.exec(statement) ?? []
  if (isOld(indexed)) return `indexes ${indexed} while its writers wait`
  const [, altered] = /^\s*ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?"?(\w+)/i.exec(statement) ?? []
  if (!isOld(altered)) return null
  for (const clause of clausesOf(statement)) {
    if (/\bVALIDATE\s+CONSTRAINT\b/i.test(clause)) continue
    if (/\bADD\s+(?:CONSTRAINT\s+\w+\s+)?(?:CHECK|FOREIGN\s+KEY)\b/i.test(clause) && !/\bNOT\s+VALID\b/i.test(clause))
      return `adds a constraint to ${altered} that is validated at once`
    if (/\bADD\s+(?:CONSTRAINT\s+\w+\s+)?(?:UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b(?!\s+USING\s+INDEX)/i.test(clause))
      return `adds a key to ${altered} whose index is made under its lock`
    if (/\bSET\s+NOT\s+NULL\b/i.test(clause)) return `reads all of ${altered} for SET NOT NULL`
    if (/\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i.test(clause)) return `rewrites ${altered}`
    if (
      /\bADD\s+COLUMN\b.*\b(?:DEFAULT\s+(?:gen_random_uuid|clock_timestamp|random|nextval|app_now)|GENERATED|bigserial|serial)\b/is.test(
        clause,
      )
    )
      return `rewrites ${altered} for a default that differs by row`
  }
  return null
}

/** Why the lock of a policy is held while rows are read; null where it is not. The lock ends with the transaction. */
function readBehindPolicy(statements: readonly string[], made: ReadonlySet<string>): string | null {
  const text = statements.join(';')
  const locked = [...text.matchAll(/\b(?:CREATE|DROP|ALTER)\s+POLICY\s+(?:IF\s+EXISTS\s+)?\w+\s+ON\s+"?(\w+)/gi)]
  const read = locked
    .map(([, table = '']) => table)
    .find((table) => new RegExp(`\\b(?:FROM|JOIN)\\s+"?${table}\\b`, 'i').test(text))
  // A table that goes is nobody's to wait for.
  return read === undefined || made.has(read) || text.includes(`DROP TABLE ${read}`)
    ? null
    : `reads ${read} under the lock of its policy`
}

/** The parts of an ALTER TABLE, which commas outside of parentheses part. */
function clausesOf(statement: string): string[] {
  const clauses = ['']
  let depth = 0
  for (const letter of statement) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
    if (letter === ',' && depth === 0) clauses.push('')
    else clauses[clauses.length - 1] += letter
  }
  return clauses
}

/** The SQL of a migration, by statement: bodies of functions and texts are none of it, those of DO are. */
const statementsOf = (source: string): string[] =>
  source
    .replaceAll(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, '')
    .replaceAll(/(\bDO\s+)?(\$\w*\$)([\s\S]*?)\2/gi, (_all, runs: string | undefined, _quote, body: string) =>
      runs ? body.replaceAll(/\b(?:BEGIN|THEN|ELSE|LOOP)\b/gi, ';') : '',
    )
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*$/gm, '')
    .split(/[;`]/)

/** Where migrations may hold a lock for long. The first of a service makes its tables; files without a number are its pieces. */
function breaches(tree: readonly File[]): string[] {
  return tree.flatMap(({ path, text }) => {
    const made = tablesMadeBy(text)
    const statements = statementsOf(text)
    const faults = statements.map((statement) => faultOf(statement, made))
    return [...faults, readBehindPolicy(statements, made)].flatMap((fault) =>
      fault === null ? [] : [`${path} ${fault}`],
    )
  })
}

/** The indexes that are made under a name which an earlier one of the service had: where that is whole, they are not made. */
function namedTwice(tree: readonly File[]): string[] {
  const seen = new Map<string, string>()
  return tree
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path, text }) =>
      [...text.matchAll(NEW_INDEX)].flatMap(({ groups = {} }) => {
        const key = `${path.split('/')[1]} ${groups.listed ?? groups.created}`
        const earlier = seen.get(key)
        seen.set(key, path)
        return earlier === undefined ? [] : [`${path} names ${groups.listed ?? groups.created} as ${earlier} does`]
      }),
    )
}

const NEW_INDEX =
  /\bname:\s*'(?<listed>\w+)',\s*on:|\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?(?<created>\w+)\s+ON\b/gi

const IS_NUMBERED = /\/\d{12}-[\w-]+\.ts$/

describe('a migration', () => {
  test('holds no lock for longer than a request may wait', async () => {
    const sources = await files('services/*/src/db/migrations/*.ts')
    const numbered = sources.filter(({ path }) => IS_NUMBERED.test(path) && !path.endsWith('-schema.ts'))
    expect(sources.filter(({ path }) => path.endsWith('-schema.ts'))).toHaveLength(6)
    expect(breaches(numbered)).toEqual([])
  })

  test('gives no index the name of an earlier one of the service', async () => {
    const sources = await files('services/*/src/db/migrations/*.ts')
    expect(namedTwice(sources)).toEqual([])
  })

  test('that gives an index the name of an earlier one is found', () => {
    const at = (name: string) => `services/x/src/db/migrations/${name}.ts`
    const listed = (on: string) => `protected readonly indexes = [{ name: 'orders_age', on: '${on}' }]`
    expect(
      namedTwice([
        { path: at('202611230000-later'), text: listed('orders (created_at)') },
        { path: at('202611220000-schema'), text: 'CREATE INDEX orders_age ON orders (id)' },
        { path: 'services/y/src/db/migrations/202611230000-own.ts', text: listed('orders (created_at)') },
      ]),
    ).toEqual([`${at('202611230000-later')} names orders_age as ${at('202611220000-schema')} does`])
  })

  const update = `UPDATE orders SET settlement_attempts = 1 WHERE commission_state IS NOT NULL`
  test.each<[string, string]>([
    ['opens the tenant wall', 'ALTER TABLE orders NO FORCE ROW LEVEL SECURITY'],
    ['updates the rows of orders', update],
    ['updates the rows of orders', `${update.replace('orders SET', 'orders o SET')}`],
    ['updates the rows of orders', update.replace('orders SET', 'orders AS o SET')],
    ['updates the rows of orders', `DO $$ BEGIN IF true THEN ${update}; END IF; END $$`],
    ['indexes orders while its writers wait', 'DO $$ BEGIN CREATE INDEX x ON orders (status); END $$'],
    ['updates the rows of payouts', `WITH old AS (SELECT 1) UPDATE payouts SET fee_minor = 0`],
    ['deletes rows of hooks', 'DELETE FROM hooks WHERE received_at < now()'],
    ['indexes orders while its writers wait', 'CREATE INDEX orders_of_status ON orders (merchant_id, status)'],
    ['indexes hooks while its writers wait', 'CREATE UNIQUE INDEX IF NOT EXISTS hooks_key\n  ON hooks (merchant_id)'],
    [
      'adds a constraint to payouts that is validated at once',
      'ALTER TABLE payouts ADD COLUMN fee_minor bigint, ADD CONSTRAINT fee CHECK (fee_minor IN (0, 1))',
    ],
    [
      'adds a constraint to topups that is validated at once',
      'ALTER TABLE topups ADD CONSTRAINT a CHECK (b > 0) NOT VALID, ADD FOREIGN KEY (c) REFERENCES d',
    ],
    ['adds a key to orders whose index is made under its lock', 'ALTER TABLE orders ADD UNIQUE (source)'],
    ['reads all of orders for SET NOT NULL', 'ALTER TABLE orders ALTER COLUMN source SET NOT NULL'],
    ['rewrites orders', 'ALTER TABLE orders ALTER COLUMN version TYPE bigint'],
    [
      'rewrites orders for a default that differs by row',
      'ALTER TABLE orders ADD COLUMN mark uuid DEFAULT gen_random_uuid()',
    ],
    [
      'reads orders under the lock of its policy',
      'CREATE POLICY seen ON orders FOR SELECT USING (true); INSERT INTO parcels SELECT id FROM orders',
    ],
  ])('that %s is found: %s', (fault, sql) => {
    const text = `export class X extends SqlMigration { up() { this.addSql(\`${sql};\`) } }`
    expect(breaches([{ path: 'services/x/src/db/migrations/202611230000-x.ts', text }])).toEqual([
      `services/x/src/db/migrations/202611230000-x.ts ${fault}`,
    ])
  })

  test.each([
    'CREATE TABLE parcel (id uuid PRIMARY KEY); CREATE INDEX parcel_age ON parcel (id); UPDATE parcel SET id = id',
    "ALTER TABLE orders ADD COLUMN tip_minor bigint NOT NULL DEFAULT 0, ALTER COLUMN source SET DEFAULT 'api'",
    'ALTER TABLE orders ADD CONSTRAINT tip CHECK (tip_minor >= 0) NOT VALID',
    'ALTER TABLE orders VALIDATE CONSTRAINT tip',
    'ALTER TABLE order_ops DROP CONSTRAINT order_ops_pkey, ADD CONSTRAINT order_ops_pkey PRIMARY KEY USING INDEX by_merchant',
    'CREATE POLICY tenant ON orders FOR UPDATE USING (true)',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE orders SET version = 1 $$',
    "COMMENT ON TABLE orders IS 'UPDATE orders SET version = 1'",
  ])('that holds none for long is not: %s', (sql) => {
    const text = `export class X extends SqlMigration { up() { this.addSql(\`${sql};\`) } }`
    expect(breaches([{ path: 'services/x/src/db/migrations/202611230000-x.ts', text }])).toEqual([])
  })
})
