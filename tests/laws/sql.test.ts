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
