import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { provisionAsNamed } from '@svc/database'
import { testServers } from '@svc/testing'
import pg from 'pg'

/** Of this run alone, for roles belong to the whole server. */
const service = `named_${randomBytes(4).toString('hex')}`
let adminUrl: string
let host: string

beforeAll(async () => {
  adminUrl = (await testServers()).databaseAdminUrl
  host = new URL(adminUrl).host
})

afterAll(async () => {
  await asked(adminUrl, `DROP DATABASE IF EXISTS ${service}`)
  for (const role of ['owner_2', 'app_2', 'worker_2', 'owner', 'app', 'worker', 'inspect'])
    await asked(adminUrl, `DROP ROLE IF EXISTS ${service}_${role}`)
})

async function asked(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

const urlOf = (role: string, password: string, database = service) =>
  `postgres://${service}_${role}:${encodeURIComponent(password)}@${host}/${database}`
const urls = (password: string) => ({
  ownerUrl: urlOf('owner', password),
  appUrl: urlOf('app', password),
  workerUrl: urlOf('worker', password),
})

test('the URLs of a service work once it is provisioned, and with other passwords once it is again', async () => {
  for (const password of ['first p@ss/word', 'second']) {
    const given = urls(password)
    await provisionAsNamed({ service, adminUrl, ...given })
    for (const url of Object.values(given))
      expect((await asked(url, 'SELECT current_database() AS name')).rows).toEqual([{ name: service }])
  }
  await expect(asked(urls('first p@ss/word').appUrl, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
})

test('a second login is the role with a password of its own, until one of the two is taken away', async () => {
  const first = urls('first')
  await provisionAsNamed({ service, adminUrl, ...first })
  await asked(first.ownerUrl, `CREATE TABLE IF NOT EXISTS kept (id int); GRANT SELECT ON kept TO ${service}_app`)
  const second = {
    ownerUrl: urlOf('owner_2', 'second'),
    appUrl: urlOf('app_2', 'second'),
    workerUrl: urlOf('worker_2', 'second'),
  }
  for (let times = 0; times < 2; times++) await provisionAsNamed({ service, adminUrl, ...second })
  for (const url of [first.appUrl, second.appUrl]) {
    const session = `SELECT current_user AS role, current_setting('statement_timeout') AS timeout FROM (SELECT FROM kept) k
       RIGHT JOIN (SELECT) one ON true`
    expect((await asked(url, session)).rows).toEqual([{ role: `${service}_app`, timeout: '5s' }])
  }
  await asked(second.ownerUrl, 'CREATE TABLE made (id int)')
  const owner = `SELECT tableowner AS name FROM pg_tables WHERE tablename = 'made'`
  expect((await asked(second.ownerUrl, owner)).rows).toEqual([{ name: `${service}_owner` }])

  await asked(adminUrl, `ALTER ROLE ${service}_app PASSWORD NULL`)
  await expect(asked(first.appUrl, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  await provisionAsNamed({ service, adminUrl, ...urls('third') })
  for (const role of ['owner_2', 'app_2', 'worker_2']) await asked(adminUrl, `DROP ROLE ${service}_${role}`)
  expect((await asked(urls('third').appUrl, 'SELECT FROM kept')).rows).toEqual([])
  await expect(asked(second.appUrl, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
})

test('roles have their settings again after somebody took them away', async () => {
  const { appUrl } = urls('second')
  await provisionAsNamed({ service, adminUrl, ...urls('second') })
  await asked(adminUrl, `ALTER ROLE ${service}_app RESET ALL`)
  await provisionAsNamed({ service, adminUrl, ...urls('second') })
  expect((await asked(appUrl, 'SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '5s' }])
})

test('URLs of other roles, of two databases or without a password are refused, and no password is told', async () => {
  const good = urls('hunter2')
  const refused = [
    { ...good, appUrl: good.workerUrl },
    { ...good, workerUrl: urlOf('worker', 'hunter2', 'elsewhere') },
    { ...good, ownerUrl: `postgres://${service}_owner@${host}/${service}` },
    { ...good, ownerUrl: 'no URL, hunter2' },
    { ...good, appUrl: urlOf('app_2; DROP', 'hunter2') },
    { ...good, appUrl: urlOf('apprentice', 'hunter2') },
  ]
  for (const given of refused) {
    const failure = await provisionAsNamed({ service, adminUrl, ...given }).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).not.toContain('hunter2')
  }
})
