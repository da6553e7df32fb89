import type pg from 'pg'

/** Riders that one statement moves. */
const CHUNK = 500
/** About half a kilometre, in degrees. */
const STEP = 0.005

/**
 * Moves so many riders a second, a chunk after the other, until it is stopped; then tells how many a second it was. Each
 * gets a place near the last one, as a report would give it.
 */
export function moving(worker: pg.Pool, riderIds: readonly string[], perSecond: number): () => Promise<number> {
  const startedAt = performance.now()
  let moved = 0
  let isStopped = false
  const seconds = () => (performance.now() - startedAt) / 1_000

  async function run(): Promise<void> {
    while (!isStopped) {
      const from = moved % riderIds.length
      const ids = riderIds.slice(from, from + CHUNK)
      await worker.query(
        `UPDATE rider_positions p SET lat = t.lat, lng = t.lng, place = st_point(t.lng, t.lat, 4326)::geography,
                recorded_at = app_now(), received_at = app_now()
           FROM (SELECT rider_id, lat + (random() - 0.5) * $2 AS lat, lng + (random() - 0.5) * $2 AS lng
                   FROM rider_positions WHERE rider_id = ANY($1)) AS t
          WHERE p.rider_id = t.rider_id`,
        [ids, STEP],
      )
      moved += ids.length
      const aheadMs = (moved / perSecond - seconds()) * 1_000
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
    }
  }

  const running = run()
  return async () => {
    isStopped = true
    await running
    return moved / seconds()
  }
}
