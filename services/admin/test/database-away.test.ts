import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { testServers } from '@svc/testing'
import pg from 'pg'
import { type Admin, refusal, signUp, startAdmin, verify } from './start-admin.ts'

let admin: Admin
let server: pg.Client
beforeAll(async () => {
  admin = await startAdmin()
  server = new pg.Client({ connectionString: (await testServers()).databaseAdminUrl })
  await server.connect()
})
afterAll(async () => {
  await server?.end()
  await admin?.stop()
})

test('while the database takes no connection a key is neither judged nor an error of ours: its caller is told to come again', async () => {
  const { api_key } = await signUp(admin)
  const name = new URL(admin.database.ownerUrl).pathname.slice(1)
  const admits = (most: number) => server.query(`ALTER DATABASE "${name}" CONNECTION LIMIT ${most}`)
  await admits(0)
  try {
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    await expect(verify(admin, api_key)).rejects.toEqual(refusal('service_unavailable'))
  } finally {
    await admits(-1)
  }
  expect((await verify(admin, api_key)).verdict).toBe('active')
})
