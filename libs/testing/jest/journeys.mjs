import { startSharedMesh } from '../src/shared-mesh.ts'

/** Runs before the first of the journeys, which share a mesh. */
export default async function setup() {
  // A rider's freeze lasts a day and an offer half a minute, and nobody waits for that here.
  await startSharedMesh('journeys', { environment: { PAYOUT_FREEZE_HOURS: '0', OFFER_TTL_SECONDS: '15' } })
}
