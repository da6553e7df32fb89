import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { testServers } from '@svc/servers'
import { renderMetrics } from '@svc/telemetry'
import { eventually } from '@svc/testing'
import { freezable } from '../../../libs/grpc/test/freezable.ts'
import { realtimePublisher } from '../src/peers/realtime.ts'

let redis: Awaited<ReturnType<typeof freezable>>
let publisher: ReturnType<typeof realtimePublisher>

beforeEach(async () => {
  redis = await freezable(new URL((await testServers()).redisUrl).host)
  publisher = realtimePublisher({ redisUrl: `redis://${redis.address}`, redisPrefix: 'realtime-publisher' })
  await publisher.start?.()
})
afterEach(async () => {
  await publisher.stop?.()
  redis.close()
})

const untold = async () => Number(/^realtime_untold_total (\d+)/m.exec(await renderMetrics())?.[1] ?? 0)

test('what a Redis that hangs has not taken counts as untold', async () => {
  const before = await untold()
  redis.freeze()
  for (let n = 0; n < 2; n++)
    publisher.publish({ $case: 'rider_moved', value: { locations: [], tracked_order_ids: [] } })
  await eventually(async () => expect(await untold()).toBe(before + 2))
})
