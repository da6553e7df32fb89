import { expect, test } from '@jest/globals'
import { metrics, renderMetrics } from './metrics.ts'

test('a counter is summed per set of labels and its help is told', async () => {
  metrics.counter('parcels', 'Parcels moved.').add(1, { lane: 'a' })
  metrics.counter('parcels', 'Parcels moved.').add(2, { lane: 'a' })
  metrics.counter('parcels', 'Parcels moved.').add(5, { lane: 'b"\n' })
  const text = await renderMetrics()
  expect(text).toContain('# HELP parcels_total Parcels moved.\n# TYPE parcels_total counter\n')
  expect(text).toContain('parcels_total{lane="a"} 3\n')
  expect(text).toContain('parcels_total{lane="b\\"\\n"} 5\n')
})

test('sets of labels that are known beforehand are 0 until something is added', async () => {
  metrics.counter('refusals', 'Refused.', [{ reason: 'late' }, { reason: 'torn' }]).add(2, { reason: 'torn' })
  const text = await renderMetrics()
  expect(text).toContain('refusals_total{reason="late"} 0\n')
  expect(text).toContain('refusals_total{reason="torn"} 2\n')
})

test('a histogram counts into cumulative buckets', async () => {
  const waited = metrics.histogram('waited_seconds', 'Time waited.', [10, 100])
  for (const value of [5, 50, 500]) waited.record(value, { lane: 'a' })
  const text = await renderMetrics()
  expect(text).toContain('waited_seconds_bucket{lane="a",le="10"} 1\n')
  expect(text).toContain('waited_seconds_bucket{lane="a",le="100"} 2\n')
  expect(text).toContain('waited_seconds_bucket{lane="a",le="+Inf"} 3\n')
  expect(text).toContain('waited_seconds_count{lane="a"} 3\n')
  expect(text).toContain('waited_seconds_sum{lane="a"} 555\n')
})

test('a gauge is asked at each scrape, and no longer once it is removed', async () => {
  let depth = 3
  const remove = metrics.gauge('depth', 'Depth.', () => depth)
  metrics.gauge('lag', 'Lag.', async () => [{ value: 7, labels: { shard: 1 } }])
  expect(await renderMetrics()).toMatch(/^depth 3$/m)
  depth = 4
  const text = await renderMetrics()
  expect(text).toMatch(/^depth 4$/m)
  expect(text).toMatch(/^lag{shard="1"} 7$/m)
  remove()
  expect(await renderMetrics()).not.toMatch(/^depth \d/m)
})

test('a gauge that fails leaves the other metrics readable', async () => {
  metrics.counter('survivor', 'Still here.').add(1)
  metrics.gauge('broken', 'Throws.', () => {
    throw new Error('the database is gone')
  })
  expect(await renderMetrics()).toMatch(/^survivor_total 1$/m)
})

test('a label set that is observed no more disappears', async () => {
  let shards = [1, 2]
  metrics.gauge('held', 'Shards held.', () => shards.map((shard) => ({ value: 1, labels: { shard } })))
  expect(await renderMetrics()).toMatch(/^held{shard="2"} 1$/m)
  shards = [1]
  expect(await renderMetrics()).not.toContain('held{shard="2"}')
})
