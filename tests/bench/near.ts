import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { merchantCaller, uniquePrefix } from '@svc/testing'
import { Redis } from 'ioredis'
import pg from 'pg'
import { dispatchProcess } from './dispatch-process.ts'
import { moving } from './moves.ts'
import { median, percentile, platform, rounded, table } from './report.ts'
import { addRiders, placeRiders, somewhere } from './riders.ts'

/**
 * The nearest 20 of so many riders within 5 km: through the service, next to a bare PostGIS query that knows of no
 * tenant, age or ellipsoidal order, and to Redis GEOSEARCH; one call at a time, in turns within one run. Then the service
 * again while a tenth of the riders move each second, or as many as the machine moves.
 *
 *   node --conditions=source tests/bench/near.ts [calls per turn] [rounds] [riders ...]
 */
const calls = Number(process.argv[2] ?? 200)
const rounds = Number(process.argv[3] ?? 5)
const sizes = process.argv.length > 4 ? process.argv.slice(4).map(Number) : [100_000, 1_000_000]
const METRES = 5_000
const LIMIT = 20

const dispatch = await dispatchProcess({ LIVE_LOCATION_MAX_AGE_SECONDS: '86400' })
const redis = new Redis(dispatch.servers.redisUrl)
const key = `${uniquePrefix()}riders`
const owner = new pg.Client({ connectionString: dispatch.database.ownerUrl })
await owner.connect()
await owner.query('CREATE SCHEMA baseline')
await owner.query('CREATE TABLE baseline.places (rider_id uuid PRIMARY KEY, place geography(Point, 4326) NOT NULL)')
await owner.query('CREATE INDEX ON baseline.places USING gist (place)')

const caller = merchantCaller({ isTest: false })
const positions = dispatch.client(PositionServiceService)(caller)
const sides = {
  service: async (point: { lat: number; lng: number }) =>
    (await positions.listRidersNear({ point, metres: METRES, limit: LIMIT, online_only: true })).items.length,
  bare: async ({ lat, lng }: { lat: number; lng: number }) =>
    (
      await owner.query({
        name: 'near',
        text: `SELECT rider_id, st_distance(place, st_point($1, $2, 4326)::geography) FROM baseline.places
                WHERE st_dwithin(place, st_point($1, $2, 4326)::geography, $3)
                ORDER BY place <-> st_point($1, $2, 4326)::geography LIMIT $4`,
        values: [lng, lat, METRES, LIMIT],
      })
    ).rows.length,
  redis: async ({ lat, lng }: { lat: number; lng: number }) =>
    ((await redis.geosearch(key, 'FROMLONLAT', lng, lat, 'BYRADIUS', METRES, 'm', 'ASC', 'COUNT', LIMIT)) as string[])
      .length,
}
type Side = keyof typeof sides

try {
  const rows: Array<Array<string | number>> = []
  const moved: Array<Array<string | number>> = []
  let present = 0
  for (const size of sizes) {
    const ids = await grow(size - present)
    present = size
    const took: Record<Side, number[]> = { service: [], bare: [], redis: [] }
    const ratios: number[] = []
    for (let round = -1; round < rounds; round++) {
      const turn = {} as Record<Side, number[]>
      for (const side of ['service', 'bare', 'redis'] as const) turn[side] = await timed(sides[side])
      // The first round fills caches and is not counted.
      if (round < 0) continue
      for (const side of ['service', 'bare', 'redis'] as const) took[side].push(...turn[side])
      ratios.push(median(turn.service) / median(turn.bare))
    }
    const cpuBefore = dispatch.cpuMs()
    const stopMoving = moving(dispatch.worker, ids, size / 10)
    const meanwhile: number[] = []
    for (let round = 0; round < rounds; round++) meanwhile.push(...(await timed(sides.service)))
    const moves = await stopMoving()
    const cpuPerCall = (dispatch.cpuMs() - cpuBefore) / meanwhile.length
    moved.push([
      size,
      rounded(moves, 0),
      rounded(median(meanwhile), 2),
      rounded(percentile(meanwhile, 0.99), 2),
      rounded(median(meanwhile) / median(took.service), 2),
      rounded(cpuPerCall, 2),
    ])
    const shown = (side: Side) => [rounded(median(took[side]), 2), rounded(percentile(took[side], 0.99), 2)]
    rows.push([size, ...shown('service'), ...shown('bare'), ...shown('redis'), rounded(median(ratios), 2)])
  }
  console.log(platform())
  console.log(
    table(
      ['riders', 'service p50 ms', 'p99 ms', 'PostGIS p50 ms', 'p99 ms', 'Redis p50 ms', 'p99 ms', 'service / PostGIS'],
      rows,
    ),
  )
  const columns = ['riders', 'moves/s', 'service p50 ms', 'p99 ms', 'to at rest', 'service CPU ms/call']
  console.log(table(columns, moved))
} finally {
  await redis.del(key)
  redis.disconnect()
  await owner.end()
  await dispatch.stop()
}

/** The same riders for all three; all that there are by now. */
async function grow(count: number): Promise<string[]> {
  await addRiders(dispatch.worker, count)
  await placeRiders(dispatch.worker)
  const { rows } = await dispatch.worker.query<{ rider_id: string; lat: number; lng: number }>(
    'SELECT rider_id, lat, lng FROM rider_positions',
  )
  for (let start = 0; start < rows.length; start += 5_000) {
    const chunk = rows.slice(start, start + 5_000)
    await redis.geoadd(key, ...chunk.flatMap(({ rider_id, lat, lng }) => [lng, lat, rider_id]))
    await owner.query(
      `INSERT INTO baseline.places SELECT id, st_point(lng, lat, 4326)::geography
         FROM unnest($1::uuid[], $2::float8[], $3::float8[]) AS rider (id, lat, lng) ON CONFLICT DO NOTHING`,
      [chunk.map((row) => row.rider_id), chunk.map((row) => row.lat), chunk.map((row) => row.lng)],
    )
  }
  // One after the other: what autovacuum does by itself a little later.
  for (const name of ['riders', 'rider_positions', 'baseline.places']) await owner.query(`VACUUM ANALYZE ${name}`)
  return rows.map(({ rider_id }) => rider_id)
}

async function timed(ask: (point: { lat: number; lng: number }) => Promise<number>): Promise<number[]> {
  const took: number[] = []
  for (let call = 0; call < calls; call++) {
    const point = somewhere()
    const startedAt = performance.now()
    const found = await ask(point)
    took.push(performance.now() - startedAt)
    if (found < LIMIT / 10) throw new Error(`${found} riders found: the run says nothing`)
  }
  return took
}
