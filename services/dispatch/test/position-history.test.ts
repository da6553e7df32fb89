import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort } from '@svc/servers'
import { merchantCaller, riderCaller } from '@svc/testing'
import pg from 'pg'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh()
})
afterAll(() => mesh.stop())

const DAY_MS = 86_400_000
const caller = merchantCaller({ isTest: false })
const merchantId = caller.merchantId as string
const report = (riderId: string, points: Array<{ lat: number; lng: number; recorded_at?: string }>) =>
  mesh.positions(riderCaller(riderId)).recordPositions({ rider_id: riderId, points })
const history = async (
  riderId: string,
  query: Partial<{ limit: number; since: string; until: string; order: string }> = {},
  as = caller,
) => (await mesh.positions(as).listPositionHistory({ rider_id: riderId, limit: 0, order: 'desc', ...query })).items
const partitions = async () =>
  (
    await mesh.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'rider_location_log'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name)
const dayOf = async (offset: number) => {
  const [row] = await mesh.sql<{ day: string }>(
    `SELECT 'rider_location_log_' || to_char((app_now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYYMMDD') AS day`,
    [offset],
  )
  return row?.day
}

describe('the history of a rider', () => {
  test('comes in either order, between two times that belong to it, and not more than asked', async () => {
    const riderId = await insertRider(mesh, { merchantId })
    const start = Date.now() - 600_000
    const times = Array.from({ length: 10 }, (_, n) => new Date(start + n * 1000).toISOString())
    await report(riderId, times.map((recorded_at, n) => ({ lat: n, lng: 0, recorded_at })).toReversed())
    expect((await history(riderId)).map(({ recorded_at }) => recorded_at)).toEqual(times.toReversed())
    const between = { since: times[3], until: times[6], order: 'asc' } as const
    expect(await history(riderId, between as { since: string })).toEqual(
      [3, 4, 5, 6].map((n) => ({ lat: n, lng: 0, accuracy_m: undefined, recorded_at: times[n] })),
    )
    expect((await history(riderId, { limit: 2 })).map(({ lat }) => lat)).toEqual([9, 8])
  })

  test('is 200 positions long unless more are asked for', async () => {
    const riderId = await insertRider(mesh, { merchantId })
    const points = Array.from({ length: 100 }, () => ({ lat: 1, lng: 1 }))
    for (let n = 0; n < 3; n++) await report(riderId, points)
    expect((await history(riderId)).length).toBe(200)
    expect((await history(riderId, { limit: 2_000 })).length).toBe(300)
  })

  test("is shown to the rider's own merchant only", async () => {
    const riderId = await insertRider(mesh, { merchantId })
    const freelancer = await insertRider(mesh)
    for (const [about, as] of [
      [riderId, merchantCaller()],
      [freelancer, caller],
      [randomUUID(), caller],
      ['no-uuid', caller],
    ] as const) {
      await expect(history(about, {}, as)).rejects.toMatchObject({ code: 'rider_not_found' })
    }
    await expect(history(riderId, {}, { ...caller, scopes: ['riders:location'] })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test.each([
    ['limit', { limit: 2_001 }],
    ['limit', { limit: -1 }],
    ['since', { since: '2026-01-02T00:00:00.000Z', until: '2026-01-01T00:00:00.000Z' }],
  ])('a bad %s is named', async (field, query) => {
    const riderId = await insertRider(mesh, { merchantId })
    await expect(history(riderId, query)).rejects.toMatchObject({ code: 'validation_error', details: { field } })
  })
})

describe('the log of positions', () => {
  test('has today and three days ahead before the service takes calls', async () => {
    expect(await partitions()).toEqual(await Promise.all([0, 1, 2, 3].map(dayOf)))
  })

  test('is nobody’s to change: the worker role only adds, the app role sees nothing, partitions are closed to both', async () => {
    const partition = await dayOf(0)
    await expect(mesh.sql('DELETE FROM rider_location_log')).rejects.toThrow(/permission denied/)
    await expect(mesh.sql(`SELECT * FROM ${partition}`)).rejects.toThrow(/permission denied/)
    await expect(mesh.sql(`DROP TABLE ${partition}`)).rejects.toThrow(/must be owner/)
    const app = new pg.Client({ connectionString: mesh.database.url })
    await app.connect()
    try {
      for (const statement of [
        'SELECT * FROM rider_location_log',
        'SELECT * FROM rider_positions',
        'SELECT * FROM rider_location_log_keep(1, 1)',
      ]) {
        await expect(app.query(statement)).rejects.toThrow(/permission denied/)
      }
    } finally {
      await app.end()
    }
  })

  test('goes on at midnight, keeps thirty days and drops what is older, on one of two replicas', async () => {
    const riderId = await insertRider(mesh, { merchantId })
    const today = await dayOf(0)
    await report(riderId, [{ lat: 1, lng: 1 }])
    try {
      await mesh.database.shiftClock(DAY_MS)
      await report(riderId, [{ lat: 2, lng: 2 }])
      expect((await history(riderId)).map(({ lat }) => lat)).toEqual([2, 1])

      // As days go by; each time two replicas begin at once.
      for (const days of [30, 31]) {
        await mesh.database.shiftClock(days * DAY_MS)
        const replicas = await Promise.all(
          ['a', 'b'].map(async (name) =>
            mesh.start({ GRPC_PORT: String(await freePort()), INSTANCE: `dispatch-${days}-${name}` }),
          ),
        )
        for (const replica of replicas) await replica.stop()
        const kept = await partitions()
        expect(kept).toEqual(expect.arrayContaining(await Promise.all([0, 1, 2, 3].map(dayOf))))
        expect(kept.includes(today as string)).toBe(days === 30)
      }
      await report(riderId, [{ lat: 3, lng: 3 }])
      expect((await history(riderId)).map(({ lat }) => lat)).toEqual([3, 2])
    } finally {
      await mesh.database.shiftClock(0)
    }
  })
})
