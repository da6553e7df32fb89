import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import { type Database, openDatabase } from '@svc/database'
import { kafkaProducer } from '@svc/kafka'
import { adminCaller, eventually } from '@svc/testing'
import { auditOf } from '@svc/transact'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { loginSubject } from '../src/db/login-failures.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { verifyAuditChain } from '../src/use-cases/audit/verify-audit-chain.ts'
import { type Admin, PASSWORD, patch, publicCaller, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
let owner: pg.Pool
let database: Database
beforeAll(async () => {
  admin = await startAdmin()
  owner = new pg.Pool({ connectionString: admin.database.ownerUrl, max: 1 })
  const { url, workerUrl } = admin.database
  database = await openDatabase({ name: 'admin', url, workerUrl, migrations, poolSize: 1 })
})
afterAll(async () => {
  await owner.end()
  await database.close()
  await admin.stop()
})

async function rowsOf(merchantId: string) {
  const { rows } = await admin.worker.query('SELECT * FROM audit_log WHERE merchant_id = $1 ORDER BY seq', [merchantId])
  return rows
}

const actions = async (merchantId: string) =>
  (await rowsOf(merchantId)).map(({ action }) => action as string).toSorted()

describe('the audit log', () => {
  test('holds every privileged act: who, from where, what was and what is', async () => {
    const { merchantId, caller, key } = await signUp(admin)
    await admin.apiKeys.as(caller).rotateApiKey({ id: key!.id })
    const operator = { ...adminCaller(), ip: '127.4.5.6' }
    await patch(admin, merchantId, { billing_status: 'past_due' }, operator)
    await eventually(async () => (await rowsOf(merchantId)).length === 4)
    expect(await actions(merchantId)).toEqual([
      'api_key.create',
      'api_key.rotate',
      'merchant.signup',
      'merchant.update',
    ])
    const update = (await rowsOf(merchantId)).find(({ action }) => action === 'merchant.update')
    expect(update).toMatchObject({
      actor_type: 'admin',
      actor_id: operator.actor.id,
      resource_type: 'merchant',
      resource_id: merchantId,
      ip: '127.4.5.6',
      request_id: operator.requestId,
      before_json: { billing_status: 'active' },
      after_json: { billing_status: 'past_due' },
    })
  })

  test('holds an owner’s log-ins, and of failed ones one an hour and one that locks', async () => {
    const { merchantId, email } = await signUp(admin)
    const caller = { ...publicCaller(), ip: '192.0.2.1' }
    const logIn = (address: string, password: string) =>
      admin.credentials
        .as(caller)
        .logIn({ email: address, password })
        .catch(() => undefined)
    await logIn(email, PASSWORD)
    for (let failure = 1; failure <= 12; failure++) await logIn(email, 'not the password')
    await logIn('nobody@example.com', 'not the password')
    const { merchantId: marker } = await signUp(admin)
    await eventually(async () => (await rowsOf(merchantId)).length >= 5 && (await rowsOf(marker)).length === 2)
    expect(await actions(merchantId)).toEqual([
      'api_key.create',
      'login.fail',
      'login.lock',
      'merchant.signup',
      'user.login',
    ])
    const { rows } = await admin.worker.query("SELECT * FROM audit_log WHERE action LIKE 'login.%' ORDER BY action")
    expect(rows.map(({ ip, resource_type, after_json }) => [ip, resource_type, after_json])).toEqual([
      ['192.0.2.1', 'user', { failures: 1 }],
      ['192.0.2.1', 'user', { failures: 10 }],
    ])
  })

  test('holds the lock of an account though the replica died that counted the failure which locked it', async () => {
    const { merchantId, email } = await signUp(admin)
    // What is left when it dies between the count and the entry.
    await admin.worker.query('INSERT INTO login_failures (subject) SELECT $1 FROM generate_series(1, 10)', [
      loginSubject('merchant', email),
    ])
    const logIn = () => admin.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })
    for (let n = 0; n < 3; n++) await expect(logIn()).rejects.toMatchObject({ code: 'rate_limited' })
    const { merchantId: marker } = await signUp(admin)
    await eventually(async () => (await rowsOf(marker)).length === 2)
    await eventually(async () =>
      expect((await actions(merchantId)).filter((action) => action.startsWith('login.'))).toEqual([
        'login.fail',
        'login.lock',
      ]),
    )
  })

  test('holds two entries of an hour of failed log-ins, however long they go on', async () => {
    const { merchantId, email } = await signUp(admin)
    const MINUTE = 60_000
    const failAt = async (minute: number) => {
      await admin.database.shiftClock(minute * MINUTE)
      const refusal = await admin.credentials
        .as(publicCaller())
        .logIn({ email, password: 'not the password' })
        .catch((error: { code: string }) => error.code)
      expect(refusal).toBe('unauthorized')
    }
    try {
      // The tenth locks, after 45 minutes; each that leaves the hour lets one more in.
      for (let failure = 0; failure < 10; failure++) await failAt(5 * failure)
      for (const minute of [61, 66, 71, 76, 81, 86, 91, 96, 101]) await failAt(minute)
      const { merchantId: marker } = await signUp(admin)
      await eventually(async () => (await rowsOf(marker)).length === 2)
      expect((await actions(merchantId)).filter((action) => action.startsWith('login.'))).toEqual([
        'login.fail',
        'login.fail',
        'login.lock',
      ])
      await failAt(106)
      await eventually(async () =>
        expect((await actions(merchantId)).filter((action) => action === 'login.lock')).toHaveLength(2),
      )
    } finally {
      await admin.database.shiftClock(0)
    }
  })

  test('takes the acts of other services, each once however often it arrives, secrets struck out', async () => {
    const producer = kafkaProducer({ brokers: admin.env.KAFKA_BROKERS!.split(','), clientId: 'test' })
    const merchantId = randomUUID()
    const messages = ['svc.order.v1', 'svc.webhook.v1'].map((topic) => {
      const fact = auditOf(
        { actor: { type: 'merchant_key', id: 'k' }, merchantId, isTest: true },
        {
          action: `${topic}.act`,
          resourceType: 'thing',
          resourceId: '1',
          after: { secret: 's3cr3t', name: 'n' },
        },
      )
      return {
        topic: admin.env.TOPIC_PREFIX + topic,
        key: fact.aggregateId,
        payload: encodeFact(fact.type, fact.payload),
        headers: {
          ce_specversion: '1.0',
          ce_id: randomUUID(),
          ce_type: fact.type,
          ce_source: 'test',
          ce_time: new Date().toISOString(),
          ce_aggregateversion: '1',
          ce_istest: 'true',
          ce_merchantid: merchantId,
        },
      }
    })
    try {
      await producer.send(messages)
      await producer.send([...messages, ...messages])
      const { merchantId: marker } = await signUp(admin)
      await eventually(async () => (await rowsOf(merchantId)).length >= 2 && (await rowsOf(marker)).length === 2)
    } finally {
      await producer.stop()
    }
    expect(await actions(merchantId)).toEqual(['svc.order.v1.act', 'svc.webhook.v1.act'])
    for (const { after_json } of await rowsOf(merchantId))
      expect(after_json).toEqual({ secret: '[redacted]', name: 'n' })
  })

  test('lets nobody change or remove an entry, its owner and whoever is given the right included', async () => {
    const { merchantId } = await signUp(admin)
    await eventually(async () => (await rowsOf(merchantId)).length === 2)
    await owner.query('GRANT UPDATE, DELETE, TRUNCATE ON audit_log TO admin_worker')
    try {
      for (const pool of [owner, admin.worker])
        for (const statement of ["UPDATE audit_log SET action = 'x'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
          await expect(pool.query(statement)).rejects.toThrow(/append-only/)
    } finally {
      await owner.query('REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM admin_worker')
    }
    const app = new pg.Client({ connectionString: admin.database.url })
    await app.connect()
    for (const statement of ['SELECT 1 FROM audit_log', 'DELETE FROM audit_log'])
      await expect(app.query(statement)).rejects.toThrow(/permission denied/)
    await app.end()
    expect(await rowsOf(merchantId)).toHaveLength(2)
  })

  test('proves itself, and shows where somebody with the keys to the database has been', async () => {
    const { auditKey: keys } = readConfig(admin.env)
    const before = await verifyAuditChain(database, { keys })
    expect(before).toMatchObject({ intact: true, entries: expect.any(Number) })
    expect(before.entries).toBeGreaterThan(3)
    // The owner can switch triggers and policies off: that is what the chain is for.
    const tamper = async (statement: string) => {
      await owner.query('ALTER TABLE audit_log DISABLE TRIGGER USER; ALTER TABLE audit_log NO FORCE ROW LEVEL SECURITY')
      await owner.query('BEGIN')
      const { rowCount } = await owner.query(statement)
      expect(rowCount).toBe(1)
      await owner.query('COMMIT')
    }
    await tamper("UPDATE audit_log SET actor_id = 'somebody else' WHERE seq = 2")
    expect(await verifyAuditChain(database, { keys })).toMatchObject({ intact: false, entries: 1, brokenAtSeq: 2 })
    await tamper('DELETE FROM audit_log WHERE seq = 2')
    expect(await verifyAuditChain(database, { keys })).toMatchObject({ intact: false, entries: 1, brokenAtSeq: 3 })
  })
})
