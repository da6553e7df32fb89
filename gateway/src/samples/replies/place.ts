import type { RpcReplies } from '../rpc-replies.ts'
import { at, id } from './pieces.ts'

const area = {
  type: 'Polygon',
  coordinates: [
    [
      [3, 6],
      [4, 6],
      [4, 7],
      [3, 6],
    ],
  ],
}

const zone = {
  id,
  merchant_id: id,
  name: 'Island',
  active: true,
  priority: 1,
  geometry_json: JSON.stringify(area),
  created_at: at,
}

const place = { id, name: 'Island' }

const coveredPoint = {
  point: 'pickup',
  lat: 6.4541,
  lng: 3.3947,
  covered: true,
  zone: place,
  platform_geofence: place,
}

const schedule = {
  timezone: 'Africa/Lagos',
  windows: [{ days: ['mon'], start: '08:00', end: '20:00' }],
  closed_dates: ['2026-12-25'],
}

export const placeReplies = {
  checkCoverage: {
    covered: false,
    points: [coveredPoint, { point: 'dropoff', lat: 52.52, lng: 13.4, covered: false, reason: 'outside_zones' }],
    rate_card: { id, name: 'Lagos', currency: 'NGN' },
    reason: 'outside_zones',
  },
  listDispatchZones: { zones: [zone] },
  replaceDispatchZones: { zones: [zone] },
  getDispatchSchedule: { schedule },
  replaceDispatchSchedule: { schedule },
  listPlatformGeofences: { zones: [{ ...zone, merchant_id: undefined }] },
  replacePlatformGeofences: { zones: [zone] },
} satisfies Partial<RpcReplies>
