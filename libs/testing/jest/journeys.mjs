import { startSharedMesh } from '../src/shared-mesh.ts'

/** Runs before the first of the journeys, which share a mesh. */
export default async function setup() {
  // A rider's freeze lasts a day and an offer half a minute, and nobody waits for that here.
  await startSharedMesh('journeys', {
    environment: {
      PAYOUT_FREEZE_HOURS: '0',
      OFFER_TTL_SECONDS: '15',
      // Each published body comes fifty times at once.
      RATE_HOOKS_PER_MINUTE: '100000',
      RATE_HOOKS_PLATFORM_PER_MINUTE: '100000',
    },
  })
}
