import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Zone, ZoneInput } from '@svc/contracts/dispatch/v1/place_service'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { box, circle, multiPolygon, polygon, type Ring, zone } from './shapes.ts'
import { signUp } from './sign-up.ts'

let mesh: DispatchMesh
const operator = adminCaller()

beforeAll(async () => {
  mesh = await dispatchMesh()
  await mesh.pricing(operator).createRateCard({ rate_card: { name: 'Platform', currency: 'NGN', base_minor: 50_000 } })
})
afterAll(() => mesh.stop())

const replace = async (merchantId: string, zones: ZoneInput[]): Promise<Zone[]> =>
  (await mesh.places(operator).replaceDispatchZones({ merchant_id: merchantId, zones })).zones

/** Which of these points are in the merchant's zones, by the names of the zones. */
async function zonesAt(caller: Caller, points: Array<[lng: number, lat: number]>): Promise<Array<string | null>> {
  return Promise.all(
    points.map(async ([lng, lat]) => {
      const { points: judged, covered } = await mesh.places(caller).checkCoverage({ point: { lat, lng } })
      expect(covered).toBe(judged[0]!.zone !== undefined)
      return judged[0]!.zone?.name ?? null
    }),
  )
}

const refused = (promise: Promise<unknown>) => expect(promise).rejects

describe('zones', () => {
  let merchant: { id: string; caller: Caller }
  beforeEach(async () => {
    merchant = await signUp(mesh)
  })

  test('a zone covers its inside and its border, but not the inside of a hole', async () => {
    await replace(merchant.id, [zone('Ring', polygon(box(3, 6, 4, 7), box(3.4, 6.4, 3.6, 6.6)))])
    expect(
      await zonesAt(merchant.caller, [
        [3.1, 6.1],
        [3, 6.5],
        [3, 6],
        [3.4, 6.5],
        [3.5, 6.5],
        [4.000001, 6.5],
      ]),
    ).toEqual(['Ring', 'Ring', 'Ring', 'Ring', null, null])
  })

  test('a zone of several parts covers each part, on both sides of the antimeridian and at the poles', async () => {
    const parts = multiPolygon([box(179, -20, 180, -15)], [box(-180, -20, -179, -15)], [box(-180, 80, 180, 90)])
    await replace(merchant.id, [zone('Far', parts)])
    expect(
      await zonesAt(merchant.caller, [
        [179.5, -18],
        [180, -18],
        [-180, -18],
        [-179.5, -18],
        [178, -18],
        [0, -18],
        [0, 90],
        [180, 85],
        [0, -90],
      ]),
    ).toEqual(['Far', 'Far', 'Far', 'Far', null, null, 'Far', 'Far', null])
  })

  test('a zone is drawn on the plane: from 170 to -170 it goes the long way, and its sides are straight in degrees', async () => {
    await replace(merchant.id, [zone('Wide', polygon(box(-170, 50, 170, 60)))])
    expect(
      await zonesAt(merchant.caller, [
        [0, 50],
        [0, 59.999],
        [0, 60.001],
        [175, 55],
      ]),
    ).toEqual(['Wide', 'Wide', null, null])
  })

  test('of overlapping zones the one with the highest priority is named, and inactive ones cover nothing', async () => {
    const whole = polygon(box(3, 6, 4, 7))
    await replace(merchant.id, [
      zone('Low', whole),
      zone('High', polygon(box(3, 6, 3.5, 7)), { priority: 5 }),
      zone('Off', whole, { active: false, priority: 9 }),
    ])
    expect(
      await zonesAt(merchant.caller, [
        [3.2, 6.5],
        [3.8, 6.5],
      ]),
    ).toEqual(['High', 'Low'])
  })

  test('a merchant reads its own zones as they were given, and nobody else’s', async () => {
    const other = await signUp(mesh)
    const geometry = polygon(box(3, 6, 4, 7))
    const [stored] = await replace(merchant.id, [zone('Island', geometry, { priority: 3 })])
    const own = await mesh.places(merchant.caller).listDispatchZones({})
    expect(own.zones).toEqual([stored])
    expect(own.zones[0]).toMatchObject({ merchant_id: merchant.id, name: 'Island', active: true, priority: 3 })
    expect(JSON.parse(own.zones[0]!.geometry_json)).toEqual(geometry)
    expect((await mesh.places(other.caller).listDispatchZones({})).zones).toEqual([])
    await refused(mesh.places(other.caller).listDispatchZones({ merchant_id: merchant.id })).toMatchObject({
      code: 'forbidden',
    })
  })

  test('a zone named by its id stays the one it was; an id of another merchant is refused', async () => {
    const other = await signUp(mesh)
    const [foreign] = await replace(other.id, [zone('Theirs', polygon(box(3, 6, 4, 7)))])
    const [first] = await replace(merchant.id, [zone('One', polygon(box(3, 6, 4, 7)))])
    const second = await replace(merchant.id, [
      zone('Renamed', polygon(box(3, 6, 5, 7)), { id: first!.id }),
      zone('Two', polygon(box(8, 6, 9, 7))),
    ])
    expect(second.find(({ id }) => id === first!.id)).toMatchObject({ name: 'Renamed', created_at: first!.created_at })
    for (const id of [foreign!.id, randomUUID(), 'x']) {
      await refused(replace(merchant.id, [zone('Taken', polygon(box(0, 0, 1, 1)), { id })])).toMatchObject({
        code: 'validation_error',
        details: { field: 'features[0].properties.id' },
      })
    }
    const twice = [
      zone('A', polygon(box(0, 0, 1, 1)), { id: first!.id }),
      zone('B', polygon(box(0, 0, 1, 1)), { id: first!.id }),
    ]
    await refused(replace(merchant.id, twice)).toMatchObject({ details: { field: 'features[1].properties.id' } })
    expect((await mesh.places(other.caller).listDispatchZones({})).zones).toEqual([foreign])
    expect(await replace(merchant.id, [])).toEqual([])
  })

  const invalid: Array<[string, unknown]> = [
    [
      'rings that cross themselves',
      polygon([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [0, 0],
      ] as Ring),
    ],
    ['a hole outside its ring', polygon(box(0, 0, 1, 1), box(5, 5, 6, 6))],
    [
      'a ring without area',
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
        [0, 0],
      ] as Ring),
    ],
    ['parts that overlap', multiPolygon([box(0, 0, 2, 2)], [box(1, 1, 3, 3)])],
    ['an open ring', polygon(box(0, 0, 1, 1).slice(0, 4) as Ring)],
    [
      'three positions',
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ] as Ring),
    ],
    ['no ring', { type: 'Polygon', coordinates: [] }],
    ['no polygon', { type: 'MultiPolygon', coordinates: [] }],
    ['a polygon without coordinates', { type: 'Polygon' }],
    ['a line', { type: 'LineString', coordinates: box(0, 0, 1, 1) }],
    ['numbers as text', { type: 'Polygon', coordinates: [box(0, 0, 1, 1).map((at) => at.map(String))] }],
    ['a position of one number', { type: 'Polygon', coordinates: [box(0, 0, 1, 1).map(([lng]) => [lng])] }],
    ['a position of nothing', { type: 'Polygon', coordinates: [[null, null, null, null]] }],
    ['a longitude beyond 180', polygon(box(179, 0, 180.5, 1))],
    ['a latitude beyond 90', polygon(box(0, 89, 1, 90.5))],
    ['nothing', null],
  ]
  test.each(invalid)('%s are no zone, and the set stays as it was', async (_, geometry) => {
    const before = await replace(merchant.id, [zone('Stays', polygon(box(3, 6, 4, 7)))])
    const zones = [zone('Good', polygon(box(0, 0, 1, 1))), zone('Bad', geometry as object)]
    await refused(replace(merchant.id, zones)).toMatchObject({
      code: 'validation_error',
      details: { field: 'features[1].geometry', rule: 'geometry' },
    })
    expect((await mesh.places(merchant.caller).listDispatchZones({})).zones).toEqual(before)
  })

  test('text that is no number is no coordinate: NaN, Infinity, a number beyond all bounds', async () => {
    for (const number of ['NaN', 'Infinity', '1e999']) {
      const geometry_json = `{"type":"Polygon","coordinates":[[[0,0],[${number},0],[1,1],[0,0]]]}`
      await refused(replace(merchant.id, [zone('Bad', {}, { geometry_json })])).toMatchObject({
        details: { field: 'features[0].geometry' },
      })
    }
  })

  test('the reason of a crossing says where it is; every faulty feature is named', async () => {
    const crossing = polygon([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ] as Ring)
    const error = await replace(merchant.id, [zone('A', crossing), zone('B', crossing)]).catch(
      (thrown: Error) => thrown,
    )
    expect(error).toMatchObject({
      message: expect.stringMatching(/Self-intersection\[1 1\]/),
      details: { fields: [{ field: 'features[0].geometry' }, { field: 'features[1].geometry' }] },
    })
    await refused(replace(merchant.id, [zone(' ', polygon(box(0, 0, 1, 1)))])).toMatchObject({
      details: { field: 'features[0].properties.name' },
    })
  })

  test('an outline of 10,000 positions is stored and answers, one of 100,000 and a set of 1,001 are refused', async () => {
    await replace(merchant.id, [zone('Fine', polygon(circle(3, 6, 0.5, 10_000)))])
    expect(
      await zonesAt(merchant.caller, [
        [3.49, 6],
        [3.51, 6],
      ]),
    ).toEqual(['Fine', null])
    const rough = circle(3, 6, 0.5, 100_000).map(([lng, lat]): [number, number] => [
      Number(lng.toFixed(6)),
      Number(lat.toFixed(6)),
    ])
    await refused(replace(merchant.id, [zone('Rough', polygon(rough))])).toMatchObject({
      code: 'validation_error',
      details: { field: 'features[0].geometry' },
    })
    const many = Array.from({ length: 1_001 }, (_, index) => zone(`Z${index}`, polygon(box(0, 0, 1, 1))))
    await refused(replace(merchant.id, many)).toMatchObject({ details: { field: 'features', limit: 1_000 } })
  })

  test('of replacements at once every reader sees one whole set, and one of them stands', async () => {
    const setOf = (name: string) => Array.from({ length: 40 }, (_, at) => zone(name, polygon(box(at, 0, at + 1, 1))))
    await replace(merchant.id, setOf('start'))
    const sees = async () => {
      const { zones } = await mesh.places(merchant.caller).listDispatchZones({})
      expect(zones).toHaveLength(40)
      expect(new Set(zones.map(({ name }) => name)).size).toBe(1)
      return zones[0]!.name
    }
    const writes = ['a', 'b', 'c', 'd'].map((name) => replace(merchant.id, setOf(name)))
    const done = Promise.all(writes).then(() => 'done' as const)
    let state: 'open' | 'done' = 'open'
    void done.then((now) => {
      state = now
    })
    while (state === 'open') await sees()
    await done
    expect(['a', 'b', 'c', 'd']).toContain(await sees())
  })

  test('who may not write does not, and a merchant that does not exist has no zones', async () => {
    const zones = [zone('Z', polygon(box(0, 0, 1, 1)))]
    const reader = adminCaller({ permissions: ['admin.merchants.read'] })
    for (const caller of [reader, merchant.caller, riderCaller(randomUUID())]) {
      const call = mesh.places(caller).replaceDispatchZones({ merchant_id: merchant.id, zones })
      await refused(call).toMatchObject({ code: 'forbidden' })
    }
    const writer = adminCaller({ permissions: ['admin.merchants.write'] })
    const listed = mesh.places(writer).listDispatchZones({ merchant_id: merchant.id })
    await refused(listed).toMatchObject({ code: 'forbidden', details: { required: ['admin.merchants.read'] } })
    for (const id of [randomUUID(), 'nobody']) {
      await refused(replace(id, zones)).toMatchObject({ code: 'not_found' })
      await refused(mesh.places(operator).listDispatchZones({ merchant_id: id })).toMatchObject({ code: 'not_found' })
    }
  })

  test('a replacement leaves its row in the audit log of the operator who made it', async () => {
    await replace(merchant.id, [zone('Audited', polygon(box(0, 0, 1, 1)))])
    const rows = await eventually(async () => {
      const found = await mesh.admin.worker.query(
        `SELECT actor_id, after_json::jsonb AS after FROM audit_log
          WHERE action = 'merchant.dispatch_zones_replace' AND merchant_id = $1`,
        [merchant.id],
      )
      return found.rows.length > 0 && found.rows
    })
    expect(rows).toMatchObject([{ actor_id: operator.actor.id, after: { count: 1, areas: [{ name: 'Audited' }] } }])
  })
})

describe('platform geofences', () => {
  const fence = (zones: ZoneInput[]) => mesh.places(operator).replacePlatformGeofences({ zones })

  test('they decide for merchants without active zones only, and without any everywhere is covered', async () => {
    const [free, zoned] = [await signUp(mesh), await signUp(mesh)]
    const at = (caller: Caller, lng: number) => mesh.places(caller).checkCoverage({ point: { lat: 0.5, lng } })
    expect(await at(free.caller, 100)).toMatchObject({ covered: true, points: [{ covered: true }] })

    await replace(zoned.id, [zone('Own', polygon(box(100, 0, 101, 1)))])
    await fence([
      zone('Platform', polygon(box(0, 0, 1, 1))),
      zone('Off', polygon(box(50, 0, 51, 1)), { active: false }),
    ])
    expect(await at(free.caller, 0.5)).toMatchObject({
      covered: true,
      points: [{ platform_geofence: { name: 'Platform' } }],
    })
    expect(await at(free.caller, 50.5)).toMatchObject({ covered: false, reason: 'outside_zones' })
    expect(await at(zoned.caller, 100.5)).toMatchObject({ covered: true, points: [{ zone: { name: 'Own' } }] })
    expect(await at(zoned.caller, 0.5)).toMatchObject({ covered: false, points: [{ reason: 'outside_zones' }] })

    await replace(zoned.id, [zone('Own', polygon(box(100, 0, 101, 1)), { active: false })])
    expect(await at(zoned.caller, 0.5)).toMatchObject({ covered: true })
    const seen = (await mesh.places(free.caller).listPlatformGeofences({})).zones
    expect(seen.map(({ name, merchant_id }) => ({ name, merchant_id }))).toEqual([
      { name: 'Platform', merchant_id: undefined },
    ])
    expect((await mesh.places(operator).listPlatformGeofences({})).zones).toHaveLength(2)
    await fence([])
    expect(await at(free.caller, 50.5)).toMatchObject({ covered: true })
  })

  test('only operators of the system write them', async () => {
    const narrow = adminCaller({ permissions: ['admin.merchants.write'] })
    for (const caller of [narrow, merchantCaller()]) {
      await refused(mesh.places(caller).replacePlatformGeofences({ zones: [] })).toMatchObject({ code: 'forbidden' })
    }
    await refused(mesh.places(narrow).listPlatformGeofences({})).toMatchObject({ code: 'forbidden' })
    await refused(mesh.places(riderCaller(randomUUID())).listPlatformGeofences({})).toMatchObject({ code: 'forbidden' })
  })
})

describe('coverage', () => {
  test('a question without a point, or with a point nowhere on earth, is refused by the name of its field', async () => {
    const { caller } = await signUp(mesh)
    await refused(mesh.places(caller).checkCoverage({})).toMatchObject({
      code: 'validation_error',
      details: { field: 'lat' },
    })
    const cases: Array<[object, string]> = [
      [{ point: { lat: 90.1, lng: 0 } }, 'lat'],
      [{ pickup: { lat: 0, lng: -180.1 } }, 'pickup_lng'],
      [{ pickup: { lat: 0, lng: 0 }, dropoff: { lat: Number.NaN, lng: 0 } }, 'dropoff_lat'],
    ]
    for (const [question, field] of cases) {
      await refused(mesh.places(caller).checkCoverage(question)).toMatchObject({ details: { field } })
    }
    const submarine = mesh.places(caller).checkCoverage({ point: { lat: 0, lng: 0 }, vehicle_type: 'submarine' })
    await refused(submarine).toMatchObject({ details: { field: 'vehicle_type' } })
    await refused(mesh.places(operator).checkCoverage({ point: { lat: 0, lng: 0 } })).toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('schedules', () => {
  const schedule = {
    timezone: 'Europe/Berlin',
    windows: [{ days: ['mon', 'sun'], start: '22:00', end: '06:00' }],
    closed_dates: ['2026-12-25', '2028-02-29'],
  }

  test('a schedule is given back as it was stored; without one dispatch is always open', async () => {
    const { id, caller } = await signUp(mesh)
    const before = await mesh.places(operator).getDispatchSchedule({ merchant_id: id })
    expect(before.schedule).toEqual({ timezone: 'Africa/Lagos', windows: [], closed_dates: [] })
    await mesh.places(operator).replaceDispatchSchedule({ merchant_id: id, schedule })
    expect(await mesh.places(operator).getDispatchSchedule({ merchant_id: id })).toEqual({ schedule })
    await refused(mesh.places(caller).replaceDispatchSchedule({ merchant_id: id, schedule })).toMatchObject({
      code: 'forbidden',
    })
    const unknown = mesh.places(operator).replaceDispatchSchedule({ merchant_id: randomUUID(), schedule })
    await refused(unknown).toMatchObject({ code: 'not_found' })
  })

  test.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+01:00' }, 'timezone'],
    [{ timezone: '' }, 'timezone'],
    [{ windows: [{ days: ['mon'], start: '24:00', end: '06:00' }] }, 'windows[0].start'],
    [{ windows: [{ days: ['mon'], start: '08:00', end: '8:30' }] }, 'windows[0].end'],
    [{ windows: [{ days: ['monday'], start: '08:00', end: '09:00' }] }, 'windows[0].days'],
    [{ windows: [{ days: ['mon', 'mon'], start: '08:00', end: '09:00' }] }, 'windows[0].days'],
    [{ windows: [{ days: [], start: '08:00', end: '09:00' }] }, 'windows[0].days'],
    [{ closed_dates: ['2026-12-24', '2026-02-29'] }, 'closed_dates[1]'],
    [{ closed_dates: ['25.12.2026'] }, 'closed_dates[0]'],
  ])('what no calendar or clock shows is refused: %j', async (change, field) => {
    const { id } = await signUp(mesh)
    const call = mesh
      .places(operator)
      .replaceDispatchSchedule({ merchant_id: id, schedule: { ...schedule, ...change } })
    await refused(call).toMatchObject({ code: 'validation_error', details: { field } })
  })
})
