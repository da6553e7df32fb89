import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { testServers } from '../src/index.ts'

let pool: pg.Pool
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: (await testServers()).databaseAdminUrl, max: 1 })
})
afterAll(() => pool.end())

const NUMBERS = 'SELECT n FROM generate_series(1, 3) AS n'
const read = async (text: string, values?: unknown[]) => {
  const { rows } = await pool.query<{ n: number }>(text, values)
  return rows.map(({ n }) => n)
}

test.each([
  NUMBERS,
  'SELECT n FROM (SELECT n FROM generate_series(1, 3) AS n ORDER BY n) AS numbers',
  `WITH numbers AS (${NUMBERS} ORDER BY n) SELECT n FROM numbers WHERE 'ORDER BY (' <> ''`,
  'SELECT n, row_number() OVER (ORDER BY n) FROM generate_series(1, 3) AS n -- ORDER BY n',
])('no test can rely on the order of rows that a statement leaves open: %s', async (text) => {
  expect(await read(text)).toEqual([3, 2, 1])
})

test('rows whose order a statement names come in it', async () => {
  expect(await read(`${NUMBERS} ORDER BY n`)).toEqual([1, 2, 3])
  expect(await read('SELECT n FROM unnest($1::int[]) AS n ORDER BY n DESC', [[1, 2]])).toEqual([2, 1])
})

test('a client alone, by promise or callback, answers as a pool does', async () => {
  const client = await pool.connect()
  try {
    expect((await client.query(NUMBERS)).rows).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }])
    const told = await new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(NUMBERS, (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result)))
    })
    expect(told.rows).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }])
  } finally {
    client.release()
  }
})
