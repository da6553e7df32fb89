import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'

/**
 * What one side of the wall may see of a merchant's riders: the test side the sandbox rider alone, the live side all
 * others.
 */
export function visibleLocations(locations: readonly RiderLocation[], merchantId: string, isTest: boolean | null) {
  return locations
    .filter((location) => isTest === null || location.is_test === isTest)
    .map((location) => ({ ...location, merchant_id: merchantId }))
}
