import { randomUUID } from 'node:crypto'
import { openDatabase } from '@svc/database'
import { testDatabase } from '@svc/testing'
import pg from 'pg'
import { extensions, migrations } from '../../services/dispatch/src/db/migrations/index.ts'
import { survey } from '../../services/dispatch/src/db/survey.ts'
import { median, percentile, platform, rounded, table } from './report.ts'

/**
 * In which zone of its merchant a point is: the lookup behind coverage and prices, next to a bare ST_Covers; one call at a
 * time, in turns within one run.
 *
 *   node --conditions=source tests/bench/zones.ts [calls per turn] [rounds] [zones ...]
 */
const calls = Number(process.argv[2] ?? 500)
const rounds = Number(process.argv[3] ?? 5)
const sizes = process.argv.length > 4 ? process.argv.slice(4).map(Number) : [1, 1_000]
const CORNERS = 50

const given = await testDatabase('dispatch', migrations, extensions)
const urls = { url: given.url, workerUrl: given.workerUrl }
const database = await openDatabase({ name: 'dispatch', ...urls, migrations })
const owner = new pg.Client({ connectionString: given.ownerUrl })
await owner.connect()
await owner.query('CREATE SCHEMA baseline')
await owner.query('CREATE TABLE baseline.zones (merchant_id uuid NOT NULL, id uuid, area geometry(MultiPolygon, 4326))')
await owner.query('CREATE INDEX ON baseline.zones USING gist (area)')

try {
  const rows: Array<Array<string | number>> = []
  for (const size of sizes) {
    const { merchantId, somewhere } = await layOut(size)
    const sides = {
      lookup: async (point: Place) => {
        const question = { merchantId, vehicle: 'motorcycle' as const, points: [point], from: null, to: [] }
        return (await survey(database, question)).places[0]?.zone !== null
      },
      bare: async ({ lat, lng }: Place) => {
        const text = `SELECT id FROM baseline.zones WHERE merchant_id = $1 AND st_covers(area, st_point($2, $3, 4326))`
        return ((await owner.query({ name: 'zone', text, values: [merchantId, lng, lat] })).rowCount ?? 0) > 0
      },
    }
    const took = { lookup: [] as number[], bare: [] as number[] }
    const ratios: number[] = []
    for (let round = -1; round < rounds; round++) {
      const turn = { lookup: await timed(sides.lookup, somewhere), bare: await timed(sides.bare, somewhere) }
      // The first round fills caches and is not counted.
      if (round < 0) continue
      for (const side of ['lookup', 'bare'] as const) took[side].push(...turn[side])
      ratios.push(median(turn.lookup) / median(turn.bare))
    }
    const shown = (side: keyof typeof took) => [
      rounded(median(took[side]), 2),
      rounded(percentile(took[side], 0.99), 2),
    ]
    rows.push([size, ...shown('lookup'), ...shown('bare'), rounded(median(ratios), 2)])
  }
  console.log(platform())
  console.log(table(['zones', 'lookup p50 ms', 'p99 ms', 'ST_Covers p50 ms', 'p99 ms', 'lookup / ST_Covers'], rows))
} finally {
  await owner.end()
  await database.close()
  await given.drop()
}

interface Place {
  lat: number
  lng: number
}

/** So many round zones side by side for a merchant, in both tables, and places of which most are in one. */
async function layOut(count: number): Promise<{ merchantId: string; somewhere: () => Place }> {
  const merchantId = randomUUID()
  const side = Math.ceil(Math.sqrt(count))
  const centre = (n: number) => ({ lat: 6 + Math.floor(n / side) * 0.05, lng: 3 + (n % side) * 0.05 })
  for (let n = 0; n < count; n++) {
    const { lat, lng } = centre(n)
    const ring = Array.from({ length: CORNERS + 1 }, (_, corner) => {
      const angle = ((corner % CORNERS) / CORNERS) * 2 * Math.PI
      return [lng + Math.cos(angle) * 0.025, lat + Math.sin(angle) * 0.025]
    })
    const geometry = JSON.stringify({ type: 'MultiPolygon', coordinates: [[ring]] })
    const id = randomUUID()
    await database.worker.query(
      `INSERT INTO dispatch_zones (id, merchant_id, name, active, priority, area, geometry, created_at)
       VALUES ($1, $2, 'zone', true, 0, st_geomfromgeojson($3), $3::json, app_now())`,
      [id, merchantId, geometry],
    )
    await owner.query('INSERT INTO baseline.zones VALUES ($1, $2, st_geomfromgeojson($3))', [merchantId, id, geometry])
  }
  for (const name of ['dispatch_zones', 'baseline.zones']) await owner.query(`VACUUM ANALYZE ${name}`)
  const somewhere = () => {
    const { lat, lng } = centre(Math.floor(Math.random() * count))
    return { lat: lat + (Math.random() - 0.5) * 0.05, lng: lng + (Math.random() - 0.5) * 0.05 }
  }
  return { merchantId, somewhere }
}

async function timed(ask: (point: Place) => Promise<boolean>, somewhere: () => Place): Promise<number[]> {
  const took: number[] = []
  let found = 0
  for (let call = 0; call < calls; call++) {
    const point = somewhere()
    const startedAt = performance.now()
    if (await ask(point)) found++
    took.push(performance.now() - startedAt)
  }
  if (found < calls / 2 || found === calls) throw new Error(`${found} of ${calls} in a zone: the run says nothing`)
  return took
}
