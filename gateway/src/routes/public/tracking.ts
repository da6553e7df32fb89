import { trackingAt } from '../tracking.ts'

export const routes = [trackingAt('/v1/public/tracking/{token}', 'publicTrackOrder')]
