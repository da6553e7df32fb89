import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { priceOf, type Tariff } from './fare.ts'

const FREE: Tariff = {
  baseMinor: 0,
  perKmMinor: 0,
  perKgMinor: 0,
  fragileMinor: 0,
  minimumMinor: 0,
  surgePercent: 0,
  vatPercent: 0,
}

const parcel = { grams: 2_500, isFragile: true }

test('every part of the price has its line, in the order in which they build on each other', () => {
  const tariff = {
    ...FREE,
    baseMinor: 50_000,
    perKmMinor: 12_000,
    perKgMinor: 1_000,
    fragileMinor: 7_500,
    surgePercent: 20,
    vatPercent: 7,
  }
  expect(priceOf(tariff, 3_456, parcel)).toEqual({
    feeMinor: 130_290,
    lines: [
      { code: 'base', label: 'Base fee', amountMinor: 50_000 },
      { code: 'distance', label: 'Distance, 3.5 km', amountMinor: 41_472 },
      { code: 'weight', label: 'Weight, 2.5 kg', amountMinor: 2_500 },
      { code: 'fragile', label: 'Fragile goods', amountMinor: 7_500 },
      { code: 'surge', label: 'Surge, 20 %', amountMinor: 20_294 },
      { code: 'vat', label: 'VAT, 7 %', amountMinor: 8_524 },
    ],
  })
})

test('what is missing to the minimum is a line of its own, before VAT', () => {
  const { feeMinor, lines } = priceOf({ ...FREE, baseMinor: 100, minimumMinor: 1_000, vatPercent: 10 }, 0, {
    grams: 0,
    isFragile: false,
  })
  expect(lines.map(({ code, amountMinor }) => [code, amountMinor])).toEqual([
    ['base', 100],
    ['minimum', 900],
    ['vat', 100],
  ])
  expect(feeMinor).toBe(1_100)
})

test('each line is rounded to a whole unit, halves up', () => {
  const distance = (metres: number) =>
    priceOf({ ...FREE, perKmMinor: 1 }, metres, { grams: 0, isFragile: false }).feeMinor
  expect([499, 500, 1_499, 1_500].map(distance)).toEqual([0, 1, 1, 2])
})

const amount = fc.integer({ min: 0, max: 1_000_000_000 })
const tariffs = fc.record({
  baseMinor: amount,
  perKmMinor: amount,
  perKgMinor: amount,
  fragileMinor: amount,
  minimumMinor: amount,
  surgePercent: fc.integer({ min: 0, max: 1_000 }),
  vatPercent: fc.integer({ min: 0, max: 100 }),
})
const metres = fc.integer({ min: 0, max: 26_100_000 })
const parcels = fc.record({ grams: fc.integer({ min: 0, max: 100_000_000 }), isFragile: fc.boolean() })

test('the lines add up to the fee, exactly and in whole units, and the minimum is never undercut', () => {
  fc.assert(
    fc.property(tariffs, metres, parcels, (tariff, way, size) => {
      const { feeMinor, lines } = priceOf(tariff, way, size)
      expect(lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(feeMinor)
      expect(lines.every(({ amountMinor }) => Number.isSafeInteger(amountMinor) && amountMinor >= 0)).toBe(true)
      expect(Number.isSafeInteger(feeMinor)).toBe(true)
      const vat = Math.floor((tariff.minimumMinor * tariff.vatPercent + 50) / 100)
      expect(feeMinor).toBeGreaterThanOrEqual(tariff.minimumMinor + vat)
    }),
    { numRuns: 1_000 },
  )
})

test('a longer way, a heavier and a fragile parcel never cost less', () => {
  fc.assert(
    fc.property(tariffs, metres, metres, parcels, parcels, (tariff, one, other, light, heavy) => {
      const [near, far] = [Math.min(one, other), Math.max(one, other)]
      const small = { grams: Math.min(light.grams, heavy.grams), isFragile: false }
      const large = { grams: Math.max(light.grams, heavy.grams), isFragile: heavy.isFragile }
      expect(priceOf(tariff, far, large).feeMinor).toBeGreaterThanOrEqual(priceOf(tariff, near, small).feeMinor)
    }),
    { numRuns: 1_000 },
  )
})
