import { expect, test } from '@jest/globals'
import { vehicleFor } from './vehicle.ts'

test.each([
  [{ weightKg: 20, sidesCm: [60, 60, 60], isFragile: false }, 'motorcycle'],
  [{ weightKg: 20.001, sidesCm: [], isFragile: false }, 'car'],
  [{ weightKg: 1, sidesCm: [60.5], isFragile: false }, 'car'],
  [{ weightKg: 100, sidesCm: [120], isFragile: false }, 'car'],
  [{ weightKg: 300, sidesCm: [250, 10], isFragile: false }, 'van'],
  [{ weightKg: 300.5, sidesCm: [], isFragile: false }, 'truck'],
  [{ weightKg: null, sidesCm: [251], isFragile: false }, 'truck'],
])('the smallest vehicle is taken that carries both weight and the longest side: %j', (size, vehicle) => {
  expect(vehicleFor(size)).toBe(vehicle)
})

test('fragile goods travel one class larger, and nothing is larger than a truck', () => {
  expect(vehicleFor({ weightKg: 5, sidesCm: [], isFragile: true })).toBe('car')
  expect(vehicleFor({ weightKg: 900, sidesCm: [], isFragile: true })).toBe('truck')
})

test('a parcel nobody measured names no vehicle, or a car when it is fragile', () => {
  expect(vehicleFor({ weightKg: null, sidesCm: [], isFragile: false })).toBeNull()
  expect(vehicleFor({ weightKg: null, sidesCm: [], isFragile: true })).toBe('car')
})
