import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import {
  foundationSql,
  IndexMigration,
  type Migrations,
  migrate,
  openDatabase,
  provision,
  SqlMigration,
} from '@svc/database'
import { eventually, testServers } from '@svc/testing'
import { sql } from 'kysely'
import pg from 'pg'

class First extends SqlMigration {
  up() {
    this.addSql(foundationSql)
  }
}
class Second extends SqlMigration {
  up() {
    this.addSql('CREATE TABLE second (id int)')
  }
}
class Telling extends SqlMigration {
  up() {
    this.addSql(`CREATE TABLE told AS SELECT current_setting('application_name') AS name`)
  }
}
class Waiting extends SqlMigration {
  up() {
    this.addSql(`CREATE TABLE noted AS SELECT current_setting('lock_timeout') AS waits`)
  }
}
class Broken extends SqlMigration {
  up() {
    this.addSql('CREATE TABLE half_done (id int)')
    this.addSql('SELECT 1/0')
  }
}
class Indexed extends IndexMigration {
  protected readonly indexes = [
    { name: 'second_id', on: 'second (id)' },
    { name: 'second_even', on: 'second (id) WHERE id % 2 = 0', isUnique: true as const },
  ]
}
class Replacing extends IndexMigration {
  protected readonly indexes = [{ name: 'second_odd', on: 'second (id) WHERE id % 2 = 1' }]
  protected override readonly replaced = ['second_id']
}
class Widened extends SqlMigration {
  up() {
    this.addSql('ALTER TABLE second ADD COLUMN note text')
  }
}
const first = { name: '202611010000-first', class: First }
const second = { name: '202611010001-second', class: Second }
const indexed = { name: '202611010004-indexed', class: Indexed }
const widened = { name: '202611010005-widened', class: Widened }
const replacing = { name: '202611010006-replacing', class: Replacing }
const waiting = { name: '202611010007-waiting', class: Waiting }
const broken = { name: '202611010002-broken', class: Broken }

const passwords = { owner: 'test-only', app: 'test-only', worker: 'test-only', inspect: 'test-only' }
const made: string[] = []

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: (await testServers()).databaseAdminUrl })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

const freshName = () => {
  const name = `test_opened_${randomBytes(6).toString('hex')}`
  made.push(name)
  return name
}

async function provisioned(name = freshName()) {
  return provision({ adminUrl: (await testServers()).databaseAdminUrl, name, service: 'opentest', passwords })
}

const open = (urls: { appUrl: string; workerUrl: string }, migrations: Migrations = [first]) =>
  openDatabase({ name: 'opentest', url: urls.appUrl, workerUrl: urls.workerUrl, migrations })

afterEach(async () => {
  for (const name of made.splice(0))
    await asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`))
})

test('migrations run over a connection as its URL describes it, TLS and all', async () => {
  const { ownerUrl } = await provisioned()
  const telling = { name: '202611010003-telling', class: Telling }
  await migrate({ name: 'opentest', ownerUrl: `${ownerUrl}?application_name=described`, migrations: [telling] })
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query('SELECT name FROM told')
  await owner.end()
  expect(rows).toEqual([{ name: 'described' }])
})

describe('a service', () => {
  test('refuses to start while migrations are pending, and names them', async () => {
    const urls = await provisioned()
    await expect(open(urls)).rejects.toThrow('migrations are pending: 202611010000-first')
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first] })
    await expect(open(urls, [first, second])).rejects.toThrow('migrations are pending: 202611010001-second')
    await (await open(urls)).close()
  })

  test('that maps nothing opens no ORM, and its transactions run all the same', async () => {
    const urls = await provisioned()
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first] })
    const database = await open(urls)
    expect(database).not.toHaveProperty('orm')
    for (const role of ['app', 'worker'] as const) {
      const transaction = await database.begin(role)
      const { rows } = await sql<{ role: string }>`SELECT current_user AS role`.execute(transaction)
      expect(rows).toEqual([{ role: `opentest_${role}` }])
      await transaction.commit().execute()
    }
    await database.close()
  })

  test('refuses a role that could bypass row security', async () => {
    const urls = await provisioned()
    const admin = new URL((await testServers()).databaseAdminUrl)
    admin.pathname = new URL(urls.appUrl).pathname
    await expect(open({ ...urls, appUrl: admin.href })).rejects.toThrow(/bypass row security/)
  })

  test('refuses a server that acknowledges commits before they are durable', async () => {
    const name = freshName()
    const urls = await provisioned(name)
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first] })
    await asAdmin((admin) => admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`))
    await expect(open(urls)).rejects.toThrow('synchronous_commit is off')
  })
})

describe('migrations', () => {
  test('run once when many processes start at the same time', async () => {
    const name = freshName()
    const started = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { ownerUrl } = await provisioned(name)
        return migrate({ name: 'opentest', ownerUrl, migrations: [first, second] })
      }),
    )
    expect(started.flat().sort()).toEqual([first.name, second.name])
  })

  test('of another history are refused before they touch anything, with what to do', async () => {
    const { ownerUrl } = await provisioned()
    await migrate({ name: 'opentest', ownerUrl, migrations: [first] })
    const other = { name: '202611020000-schema', class: Second }
    const attempt = migrate({ name: 'opentest', ownerUrl, migrations: [other] })
    await expect(attempt).rejects.toThrow(/began with 202611010000-first.*drop the database and migrate anew/)
    expect(await migrate({ name: 'opentest', ownerUrl, migrations: [first] })).toEqual([])
  })

  test('leave nothing behind where they fail', async () => {
    const { ownerUrl, workerUrl } = await provisioned()
    await expect(migrate({ name: 'opentest', ownerUrl, migrations: [first, broken] })).rejects.toThrow(
      'division by zero',
    )
    const worker = new pg.Client({ connectionString: workerUrl })
    await worker.connect()
    const { rows } = await worker.query("SELECT to_regclass('half_done') AS half, to_regclass('app_clock') AS whole")
    await worker.end()
    expect(rows).toEqual([{ half: null, whole: 'app_clock' }])
  })
})

describe('indexes of tables in use', () => {
  async function tableInUse() {
    const { ownerUrl } = await provisioned()
    await migrate({ name: 'opentest', ownerUrl, migrations: [first, second] })
    const owner = new pg.Client({ connectionString: ownerUrl })
    const writer = new pg.Client({ connectionString: ownerUrl })
    await Promise.all([owner.connect(), writer.connect()])
    const indexes = async () => {
      const { rows } = await owner.query<{ name: string }>(
        `SELECT indexrelid::regclass::text AS name FROM pg_index
          WHERE indrelid = 'second'::regclass AND indisvalid ORDER BY 1`,
      )
      return rows.map(({ name }) => name)
    }
    const oidOf = async (name: string) =>
      (await owner.query<{ oid: number }>('SELECT to_regclass($1)::oid AS oid', [name])).rows[0]!.oid
    const run = (...more: Migrations) =>
      migrate({ name: 'opentest', ownerUrl, migrations: [first, second, indexed, ...more] })
    const end = () => Promise.all([owner.end(), writer.end()])
    return { owner, writer, indexes, oidOf, run, end }
  }

  test('are made while others write, by one of two processes that start at once', async () => {
    const { owner, writer, indexes, run, end } = await tableInUse()
    try {
      await writer.query('BEGIN')
      await writer.query('INSERT INTO second VALUES (1)')
      const making = Promise.all([run(), run()])
      // It waits for that transaction; nothing waits for it.
      await eventually(async () => {
        const { rows } = await owner.query(
          "SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%' AND state = 'active'",
        )
        return rows.length === 1
      })
      await owner.query('INSERT INTO second VALUES (2)')
      await writer.query('COMMIT')
      expect((await making).flat()).toEqual([indexed.name])
      expect(await indexes()).toEqual(['second_even', 'second_id'])
    } finally {
      await end()
    }
  })

  test('that a crash left half made are dropped and made again; what is whole stays', async () => {
    const { owner, indexes, oidOf, run, end } = await tableInUse()
    try {
      await owner.query('INSERT INTO second VALUES (2), (2)')
      await expect(run()).rejects.toThrow(/second_even/)
      const { rows } = await owner.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'second_even'::regclass")
      expect([rows, await indexes()]).toEqual([[{ indisvalid: false }], ['second_id']])
      const whole = await oidOf('second_id')
      await owner.query('DELETE FROM second')
      expect(await run()).toEqual([indexed.name])
      expect([await indexes(), await oidOf('second_id')]).toEqual([['second_even', 'second_id'], whole])
    } finally {
      await end()
    }
  })

  test('that are replaced go when the last transaction over them is over, however long; the new ones are made once', async () => {
    const { owner, writer, indexes, oidOf, run, end } = await tableInUse()
    try {
      await run()
      await writer.query('BEGIN')
      await writer.query('SELECT FROM second')
      const replacement = run(replacing)
      // For longer than the owner's lock_timeout.
      await eventually(
        async () => {
          const { rows } = await owner.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'DROP INDEX CONC%second_id'
                AND state = 'active' AND clock_timestamp() - query_start > '2s'`,
          )
          return rows.length === 1
        },
        { message: 'the drop waits' },
      )
      const made = await oidOf('second_odd')
      await writer.query('COMMIT')
      expect(await replacement).toEqual([replacing.name])
      expect([await indexes(), await oidOf('second_odd')]).toEqual([['second_even', 'second_odd'], made])
    } finally {
      await end()
    }
  })
})

describe('functions', () => {
  const name = 'answer'
  const answering = (text: string, parameters = '') => ({
    name,
    sql: `CREATE OR REPLACE FUNCTION answer(${parameters}) RETURNS text LANGUAGE sql AS $$ SELECT '${text}' $$`,
  })
  const one = answering('one')
  const two = answering('two')

  async function answered(urls: { workerUrl: string }) {
    const worker = new pg.Client({ connectionString: urls.workerUrl })
    await worker.connect()
    const { rows } = await worker.query<{ answer: string }>('SELECT answer()')
    await worker.end()
    return rows[0]!.answer
  }

  test('are applied when their text is not the one applied last, after the migrations', async () => {
    const urls = await provisioned()
    const run = (...migrations: Migrations) => migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations })
    expect(await run(one, first)).toEqual([first.name, name])
    expect(await run(first, one)).toEqual([])
    expect(await run(first, two)).toEqual([name])
    expect(await answered(urls)).toBe('two')
    expect(await run(first, one)).toEqual([name])
    expect(await answered(urls)).toBe('one')
  })

  test('that the database never had keep a service from starting; a newer text does not', async () => {
    const urls = await provisioned()
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, one] })
    await expect(open(urls, [first, two])).rejects.toThrow('migrations are pending: answer')
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, two] })
    await (await open(urls, [first, one])).close()
  })

  test('have one signature each: another one beside it is refused, and all stay as they were', async () => {
    const urls = await provisioned()
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, one] })
    const other = answering('three', 'p int')
    await expect(
      migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, { ...two, name: 'unnamed' }] }),
    ).rejects.toThrow('there must be one function unnamed, but the database has: none')
    await expect(migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, other] })).rejects.toThrow(
      'answer(); answer(integer)',
    )
    expect(await answered(urls)).toBe('one')
  })
})

test('a migration that meets a table in use lets the requests behind it go on, and is done when the table is free', async () => {
  const name = freshName()
  const urls = await provisioned(name)
  await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, second] })
  const { databaseAdminUrl } = await testServers()
  const inside = new URL(databaseAdminUrl)
  inside.pathname = `/${name}`
  const [holder, reader] = [inside, inside].map((url) => new pg.Client({ connectionString: url.href })) as [
    pg.Client,
    pg.Client,
  ]
  await Promise.all([holder.connect(), reader.connect()])
  // By a session without a transaction, in which the activity would stand still.
  const isWaiting = async () => {
    const { rows } = await reader.query(
      `SELECT FROM pg_stat_activity WHERE datname = $1 AND usename = 'opentest_owner' AND wait_event_type = 'Lock'`,
      [name],
    )
    return rows.length > 0
  }
  try {
    // As the role was provisioned by a release that let it wait for longer than requests do.
    await holder.query(`ALTER ROLE opentest_owner IN DATABASE ${name} SET lock_timeout = '10s'`)
    await holder.query('BEGIN')
    await holder.query('SELECT FROM second')
    const migrated = migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, second, widened] })
    // As a service reads, which waits for a lock no longer than this.
    await reader.query("SET lock_timeout = '3s'")
    for (let round = 1; round <= 3; round++) {
      await eventually(isWaiting, { message: 'the migration waits for its lock' })
      await reader.query('SELECT FROM second')
    }
    await holder.query('COMMIT')
    expect(await migrated).toEqual([widened.name])
    expect(await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, second, widened] })).toEqual(
      [],
    )
  } finally {
    await Promise.all([holder.end(), reader.end()])
  }
})

test('no session of an owner waits for a lock longer than half a second, so that no call behind one waits for a second', async () => {
  const urls = await provisioned()
  const owner = new pg.Client({ connectionString: urls.ownerUrl })
  await owner.connect()
  try {
    const asProvisioned = await owner.query('SHOW lock_timeout')
    expect(asProvisioned.rows).toEqual([{ lock_timeout: '500ms' }])
    // As by a release that let it wait for longer.
    await owner.query(`ALTER ROLE opentest_owner IN DATABASE ${owner.database} SET lock_timeout = '10s'`)
    await migrate({ name: 'opentest', ownerUrl: urls.ownerUrl, migrations: [first, waiting] })
    const inMigration = await owner.query('SELECT waits FROM noted')
    expect(inMigration.rows).toEqual([{ waits: '500ms' }])
  } finally {
    await owner.end()
  }
})

describe('the roles', () => {
  test('have their limits whoever opens the session, and no rights beyond their database', async () => {
    const urls = await provisioned()
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    for (const url of [urls.appUrl, urls.workerUrl]) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      for (const setting of settings) {
        const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [setting])
        expect(rows[0]!.value).not.toBe('0')
      }
      await expect(client.query('CREATE TABLE mine (id int)')).rejects.toMatchObject({ code: '42501' })
      await expect(client.query('CREATE DATABASE mine')).rejects.toMatchObject({ code: '42501' })
      await client.end()
    }
  })

  test("leave no statement, parameter or detail in the server's log", async () => {
    const urls = await provisioned()
    for (const url of [urls.ownerUrl, urls.appUrl, urls.workerUrl]) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query(
        `SELECT name, setting FROM pg_settings WHERE name ~ '^log_(min_error|error_verb|parameter)' ORDER BY name`,
      )
      await client.end()
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
        log_error_verbosity: 'terse',
        log_min_error_statement: 'panic',
        log_parameter_max_length: '0',
        log_parameter_max_length_on_error: '0',
      })
    }
  })

  test('of another service cannot connect', async () => {
    const urls = await provisioned()
    await provision({
      adminUrl: (await testServers()).databaseAdminUrl,
      name: freshName(),
      service: 'strangertest',
      passwords,
    })
    const stranger = new URL(urls.appUrl)
    stranger.username = 'strangertest_app'
    const client = new pg.Client({ connectionString: stranger.href })
    await expect(client.connect()).rejects.toMatchObject({ code: '42501' })
  })

  test('for inspection cannot log in unless the run is local', async () => {
    const name = freshName()
    const { inspectUrl } = await provisioned(name)
    await expect(new pg.Client({ connectionString: inspectUrl }).connect()).rejects.toThrow(/not permitted to log in/)
  })
})
