import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { foundationSql, SqlMigration } from '@svc/database'
import pg from 'pg'
import { eventually, explain, type TestDatabase, testDatabase, vacuum } from '../src/index.ts'

class First extends SqlMigration {
  up() {
    this.addSql(foundationSql)
    this.addSql('CREATE TABLE parcel (id int PRIMARY KEY, weight int NOT NULL) WITH (autovacuum_enabled = false)')
    this.addSql('GRANT SELECT, INSERT, UPDATE ON parcel TO vacuumtest_worker')
  }
}

let database: TestDatabase
let sessions: [pg.Client, pg.Client]
beforeAll(async () => {
  database = await testDatabase('vacuumtest', [{ name: '202611010000-first', class: First }])
  const session = () => new pg.Client({ connectionString: database.workerUrl })
  sessions = [session(), session()]
  for (const one of sessions) await one.connect()
})
afterAll(async () => {
  for (const one of sessions ?? []) await one.end()
  await database?.drop()
})

test('a plan that is looked at is that of a table at rest, whoever looked at it when its rows came', async () => {
  const [worker, old] = sessions
  await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await old.query('SELECT FROM parcel')
  await database.fill('INSERT INTO parcel SELECT n, n FROM generate_series(1, 20000) AS n')
  await database.fill('UPDATE parcel SET id = -1 WHERE id = 10000')
  let isDone = false
  const done = vacuum(database.ownerUrl, 'parcel').then(() => {
    isDone = true
  })
  await eventually(async () => {
    const { rows } = await worker.query(`SELECT pg_stat_get_vacuum_count('parcel'::regclass)::int AS vacuumed`)
    return rows[0].vacuumed > 1
  })
  expect(isDone).toBe(false)
  await old.query('COMMIT')
  await done
  const { blocks, plan } = await explain(worker, 'SELECT count(*) FROM parcel WHERE id BETWEEN $1 AND $2', [1, 10_000])
  expect([blocks < 50, plan.join()]).toEqual([
    true,
    expect.stringMatching(/Index Only Scan parcel parcel_pkey .* 0 of the heap/),
  ])
})
