import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { testServers } from '@svc/testing'
import { createTransact, eventIdOf, shardOf, type Tx } from '@svc/transact'
import pg from 'pg'
import { merchantId, parcelService, sampleFact, tenant } from './parcel-service.ts'

let service: Awaited<ReturnType<typeof parcelService>>
beforeAll(async () => {
  service = await parcelService()
})
afterAll(() => service?.close())

async function factsOf(aggregateId: string) {
  const { rows } = await service.database.worker.query(
    'SELECT event_id, aggregate_version, headers, created_at FROM outbox WHERE aggregate_id = $1 ORDER BY seq',
    [aggregateId],
  )
  return rows
}

describe('a transaction and its facts', () => {
  test('rows and facts are committed together, and the relay is woken after the commit', async () => {
    const id = randomUUID()
    let seenAtWake: Promise<unknown[]> | undefined
    const transact = createTransact(service.database, {
      wake() {
        seenAtWake = factsOf(id)
      },
    })
    const { eventId, now } = await transact(tenant, async (tx) => {
      await tx.sql('INSERT INTO parcel VALUES ($1, $2, 1)', [id, merchantId])
      tx.publish({ ...sampleFact(id, 1), traceparent: '00-11111111111111111111111111111111-2222222222222222-01' })
      return { eventId: tx.publish(sampleFact(id, 2)), now: tx.now }
    })
    expect(eventId).toBe(eventIdOf(id, 'ingestion.hook_received', 2))
    expect(await seenAtWake).toEqual([
      {
        event_id: eventIdOf(id, 'ingestion.hook_received', 1),
        aggregate_version: 1,
        headers: { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' },
        created_at: now,
      },
      { event_id: eventId, aggregate_version: 2, headers: {}, created_at: now },
    ])
  })

  test('a transaction that throws leaves no row and announces no fact', async () => {
    const id = randomUUID()
    const refused = service.transact(tenant, async (tx) => {
      await tx.sql('INSERT INTO parcel VALUES ($1, $2, 1)', [id, merchantId])
      tx.publish(sampleFact(id, 1))
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect(await factsOf(id)).toEqual([])
    expect((await service.database.worker.query('SELECT 1 FROM parcel WHERE id = $1', [id])).rowCount).toBe(0)
  })

  test('a failed statement dooms the transaction even where its error is swallowed', async () => {
    const id = randomUUID()
    const swallowed = service.transact(tenant, async (tx) => {
      await tx.sql('INSERT INTO parcel VALUES ($1, $2, 1)', [id, merchantId])
      await tx.sql('SELECT 1/0').catch(() => undefined)
    })
    await expect(swallowed).rejects.toThrow('division by zero')
  })

  test('what is to be done after the commit is done then, in its order, and never where there is none', async () => {
    const id = randomUUID()
    const done: string[] = []
    let isAfterCommit = false
    const transact = createTransact(service.database, {
      wake() {
        isAfterCommit = true
      },
    })
    await transact(tenant, async (tx) => {
      tx.publish(sampleFact(id, 1))
      tx.afterCommit(() => done.push(`first ${isAfterCommit}`))
      tx.afterCommit(() => {
        throw new Error('too late to refuse')
      })
      tx.afterCommit(() => done.push('second'))
      expect(done).toEqual([])
    })
    expect(done).toEqual(['first true', 'second'])
    const refused = transact(tenant, async (tx) => {
      tx.afterCommit(() => done.push('never'))
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    const doomed = transact(tenant, async (tx) => {
      tx.afterCommit(() => done.push('never'))
      tx.publish(sampleFact(id, 1))
    })
    await expect(doomed).rejects.toThrow(/duplicate key/)
    expect(done).toHaveLength(2)
  })

  test('that waits for a lock for too long decides nothing, and says that it may be tried again', async () => {
    const id = randomUUID()
    const insert = (tx: Tx) => tx.sql('INSERT INTO parcel VALUES ($1, $2, 1)', [id, merchantId])
    const isHeld = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const holder = service.transact(tenant, async (tx) => {
      await insert(tx)
      isHeld.resolve()
      await goOn.promise
    })
    await isHeld.promise
    const waiting = service.transact(tenant, async (tx) => {
      await tx.sql("SET LOCAL lock_timeout = '50ms'")
      await insert(tx)
    })
    await expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 })
    goOn.resolve()
    await holder
  })

  test('of which a statement takes too long decides nothing, and says that it may be tried again', async () => {
    const id = randomUUID()
    const slow = service.transact(tenant, async (tx) => {
      await tx.sql('INSERT INTO parcel VALUES ($1, $2, 1)', [id, merchantId])
      await tx.sql("SET LOCAL statement_timeout = '50ms'")
      await tx.sql('SELECT pg_sleep(60)')
    })
    await expect(slow).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 })
    expect((await service.database.worker.query('SELECT 1 FROM parcel WHERE id = $1', [id])).rowCount).toBe(0)
  })

  test('that finds no connection free says that it may be tried again', async () => {
    const { app } = service.database
    const taken = await Promise.all(Array.from({ length: app.options.max }, () => app.connect()))
    try {
      const waiting = service.transact(tenant, async (tx) => tx.sql('SELECT 1'))
      await expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 })
    } finally {
      for (const client of taken) client.release()
    }
  })

  test('whose connection the server ends says that it may be tried again', async () => {
    const cut = service.transact(tenant, async (tx) => tx.sql('SELECT pg_terminate_backend(pg_backend_pid())'))
    await expect(cut).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 })
  })

  test('no fact can be announced in the name of another tenant', async () => {
    const theirs = { ...sampleFact(randomUUID(), 1), merchantId: randomUUID() }
    await expect(service.transact(tenant, async (tx) => tx.publish(theirs))).rejects.toThrow(/row-level security/)
  })

  test('one version of an aggregate is announced once', async () => {
    const id = randomUUID()
    const again = async () => service.transact(tenant, async (tx) => tx.publish(sampleFact(id, 1)))
    await again()
    await expect(again()).rejects.toThrow(/duplicate key/)
  })

  test('connections that die inside transactions do not drain the pool', async () => {
    for (let death = 0; death < 15; death++) {
      const dead = service.transact(tenant, async (tx) => {
        const { rows } = await tx.sql<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        await terminate(rows[0]!.pid)
        await tx.sql('SELECT 1')
      })
      await expect(dead).rejects.toThrow()
    }
    expect(await service.transact(tenant, async (tx) => tx.now)).toBeInstanceOf(Date)
  })
})

/** Ends a session as an administrator would. */
async function terminate(pid: number): Promise<void> {
  const admin = new pg.Client({ connectionString: (await testServers()).databaseAdminUrl })
  await admin.connect()
  await admin.query('SELECT pg_terminate_backend($1, 5000)', [pid])
  await admin.end()
}

describe('names that must never change', () => {
  test('an aggregate has the same shard in TypeScript and in SQL', async () => {
    const ids = Array.from({ length: 200 }, () => randomUUID())
    const { rows } = await service.database.app.query<{ shard: number }>(
      'SELECT outbox_shard(id) AS shard FROM unnest($1::uuid[]) WITH ORDINALITY AS item (id, place) ORDER BY place',
      [ids],
    )
    expect(rows.map((row) => row.shard)).toEqual(ids.map(shardOf))
    expect(new Set(ids.map(shardOf)).size).toBe(16)
  })

  test('the default event id is uuid v5, as other implementations compute it', () => {
    // python3: uuid.uuid5(uuid.UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8'), 'parcel.moved:7')
    expect(eventIdOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'parcel.moved', 7)).toBe(
      '349cc042-e48e-5c48-944b-4db9f79f8f77',
    )
  })
})
