import { startSharedMesh } from '../src/shared-mesh.ts'

/** Runs before the first of the security, which share a mesh. */
export default async function setup() {
  // Riders log in twice within a minute here, live trade needs an approved business, and what is compared by the hundred
  // are answers, not limits. What ends at one gateway has ended at the other.
  await startSharedMesh('security', {
    spans: false,
    gateways: 2,
    environment: {
      OTP_COOLDOWN_SECONDS: '0',
      REQUIRE_KYB_FOR_ORDERS: 'true',
      RATE_TEST_KEY_PER_MINUTE: '100000',
      RATE_LIVE_KEY_PER_MINUTE: '100000',
      RATE_TEST_MERCHANT_PER_MINUTE: '100000',
      RATE_LIVE_MERCHANT_PER_MINUTE: '100000',
      RATE_USER_PER_MINUTE: '100000',
    },
  })
}
