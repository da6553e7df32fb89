import { describe, expect, test } from '@jest/globals'
import { type File, files } from './tree.ts'

const STATEMENT = /\.(sql|rows|together|query)\s*[<(]|\bsql\s*[<(`]/

/** Files of services that speak SQL outside db/; the gateway has no database at all. */
const breaches = (tree: readonly File[]): string[] =>
  tree.flatMap(({ path, text }) => (STATEMENT.test(text) && !/^services\/[^/]+\/src\/db\//.test(path) ? [path] : []))

describe('SQL', () => {
  test('stands in db/ alone', async () => {
    const sources = (await files('{services/*,gateway}/src/**/*.ts')).filter(({ path }) => !path.endsWith('.test.ts'))
    expect(sources.length).toBeGreaterThan(600)
    expect(breaches(sources)).toEqual([])
  })

  test.each([
    'await tx.sql<{ id: string }>(`SELECT id FROM orders`)',
    "const { rows } = await database.worker.query('SELECT 1')",
    'const found = await sql(`SELECT 1`)',
    'await tx.rows(QUERY)',
    'await reads.together(scope, [{ text }])',
  ])('is found elsewhere: %s', (text) => {
    expect(breaches([{ path: 'services/order/src/use-cases/x.ts', text }])).toHaveLength(1)
    expect(breaches([{ path: 'services/order/src/db/x.ts', text }])).toEqual([])
  })
})

/** What takes some of many rows without saying which, each with the reason why that makes no difference. */
const ANY_ROWS: Readonly<Record<string, string>> = {
  'libs/database/src/settled-totals.ts: LIMIT ${limit}': 'counted, up to so many',
  'libs/facts/src/observe-outbox.ts: LIMIT ${COUNT_CAP}': 'counted, up to so many',
  'services/admin/src/db/sessions.ts: LIMIT $1': 'all go, so many at a time',
  'services/admin/src/db/sessions.ts: LIMIT ${RIDER_FAMILIES}': 'all go, so many at a time',
  'services/ingestion/src/db/normalization-jobs.ts: LIMIT $3':
    'walks from merchant to merchant and stops when so many have a job; sorted, all of them would be looked at',
  'services/order/src/db/live-totals.ts: LIMIT $3': 'counted, up to so many',
  'services/order/src/db/read-orders.ts: LIMIT 1': 'the row of an id: there is one',
  'services/order/src/db/shipment-drafts.ts: LIMIT ${AT_ONCE}': 'all go, so many at a time',
  'services/order/src/db/shipment-turns.ts: LIMIT 1':
    'walks from merchant to merchant, by their turns, and stops at the first that has one due; sorted, each would be locked',
}

/** Statements that take some of the rows they find without an order of them; those that only ask whether there are any may. */
const unordered = (tree: readonly File[]): string[] =>
  tree.flatMap(({ path, text }) =>
    [...text.matchAll(/\bLIMIT (\$\{?\w+\}?|\d+)/g)].flatMap(({ 0: limit, index }) =>
      /\bORDER BY\b|\bSELECT FROM\b/.test(queryBefore(text, index)) ? [] : [`${path}: ${limit}`],
    ),
  )

/** The text of the query that ends there, without those in its parentheses. */
function queryBefore(text: string, end: number): string {
  let query = ''
  let depth = 0
  for (let at = end - 1; at >= 0; at -= 1) {
    const sign = text.charAt(at)
    if (sign === ')') depth += 1
    if (sign === '(') depth -= 1
    if (depth < 0 || sign === '`') break
    if (depth === 0) query = sign + query
  }
  return query
}

describe('which rows are taken of many', () => {
  test('is said by the statement, so that it is no accident of its plan', async () => {
    const sources = await files('services/*/src/db/**/*.ts', 'libs/*/src/**/*.ts')
    expect(unordered(sources).sort()).toEqual(Object.keys(ANY_ROWS).sort())
  })

  test('is found where it is not', () => {
    const found = (text: string) => unordered([{ path: 'services/order/src/db/x.ts', text: `sql(\`${text}\`)` }])
    const breach = ['services/order/src/db/x.ts: LIMIT 1']
    expect(found('SELECT id FROM orders WHERE status = $1 LIMIT 1')).toEqual(breach)
    expect(found('SELECT (SELECT max(at) FROM x ORDER BY at) FROM orders LIMIT 1')).toEqual(breach)
    expect(found('SELECT * FROM (SELECT id FROM orders LIMIT 1) AS one ORDER BY id')).toEqual(breach)
    expect(found('SELECT id FROM orders WHERE greatest(a, b) > $1 ORDER BY created_at, id LIMIT 1')).toEqual([])
    expect(found('SELECT count(*) FROM (SELECT FROM orders WHERE status = $1 LIMIT 1) AS some')).toEqual([])
  })
})

/** Statements that count what a list has without an end: their cost grows with it. */
const endless = (tree: readonly File[]): string[] =>
  tree.flatMap(({ path, text }) => (/\bcount\(\*\)[^`']{0,20} AS total\b/i.test(text) ? [path] : []))

describe('the total of a list', () => {
  test('is counted by boundedCount, however many there are', async () => {
    expect(endless(await files('services/*/src/db/**/*.ts'))).toEqual([])
  })

  test.each(['SELECT count(*)::int AS total FROM merchants', 'SELECT count(*) AS total FROM (SELECT FROM x) AS y'])(
    'is found where it is counted otherwise: %s',
    (text) => {
      expect(endless([{ path: 'services/admin/src/db/x.ts', text: `sql(\`${text}\`)` }])).toHaveLength(1)
    },
  )
})
