import { startSharedMesh } from '../src/shared-mesh.ts'

/** Runs before the first of the security, which share a mesh. */
export default async function setup() {
  // Riders log in twice within a minute here, and live trade needs an approved business.
  await startSharedMesh('security', {
    spans: false,
    environment: { OTP_COOLDOWN_SECONDS: '0', REQUIRE_KYB_FOR_ORDERS: 'true' },
  })
}
