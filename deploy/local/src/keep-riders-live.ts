import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { type Caller, grpcClient, systemCaller } from '@svc/grpc'
import { addressOf, type MeshSettings } from '@svc/mesh'
import { demoOf } from './seed.ts'

const INTERVAL_MS = 30_000

/**
 * Lets the demo riders stay where they were last: a position that is not repeated is stale after two minutes. A rider that
 * a user of the stack moves stays at its new place. Returns what ends it.
 */
export function keepRidersLive(settings: MeshSettings): () => void {
  if (!settings.ports['dispatch.grpc']) return () => {}
  const { merchant, riders } = demoOf(settings)
  const demo = new Set(riders.map(({ id }) => id))
  const positions = grpcClient(PositionServiceService, {
    address: addressOf(settings, 'dispatch.grpc'),
    from: 'gateway',
    to: 'dispatch',
    secret: settings.secrets.callerSecret('gateway', 'dispatch'),
  })

  async function repeat(): Promise<void> {
    const live = await positions.as(systemCaller('gateway')).listLivePositions({ merchant_id: merchant.id })
    for (const { rider_id, lat, lng, recorded_at } of live.riders) {
      const isFresh = Date.now() - Date.parse(recorded_at ?? '') < INTERVAL_MS
      if (!demo.has(rider_id) || isFresh) continue
      await positions.as(merchantCaller(merchant.id)).recordPositions({ rider_id, points: [{ lat, lng }] })
    }
  }

  // A service that is being restarted hears it next time.
  const timer = setInterval(() => void repeat().catch(() => {}), INTERVAL_MS)
  return () => {
    clearInterval(timer)
    positions.close()
  }
}

/** As their merchant, whose word gives way to that of a rider who reports for itself. */
const merchantCaller = (merchantId: string): Caller => ({
  ...systemCaller('demo'),
  kind: 'merchant',
  merchantId,
  isTest: false,
  scopes: ['riders:location'],
  actor: { type: 'merchant_key', id: 'demo' },
  standing: { billingStatus: 'active', kybStatus: 'verified', businessApprovalStatus: 'approved' },
})
