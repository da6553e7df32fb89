import { describe, expect, test } from '@jest/globals'
import { metresBetween } from './distance.ts'
import { asStranger } from './stranger.ts'

const rider = (lat: number, lng: number) => ({ lat, lng, name: 'Bola  Canary Ade', phone: '+234800', distanceM: 123.4 })
const HERE = { lat: 6.45, lng: 3.39 }

describe('a rider of whom a merchant may know little', () => {
  test('has a first name and no phone', () => {
    expect(asStranger(rider(6.45, 3.39), HERE)).toMatchObject({ name: 'Bola', phone: null })
  })

  test.each([
    [6.4541, 3.3947],
    [-33.9, 151.2],
    [69.65, 18.95],
    [0, 179.9999],
    [89.9999, 10],
    [-90, -180],
  ])('at %d, %d is shown less than 500 m away, on the earth', (lat, lng) => {
    const shown = asStranger(rider(lat, lng), HERE)
    expect(Math.abs(shown.lat)).toBeLessThanOrEqual(90)
    expect(Math.abs(shown.lng)).toBeLessThanOrEqual(180)
    expect(metresBetween(shown, { lat, lng })).toBeLessThan(500)
  })

  test('is shown the same wherever in its square it is, and wherever that is asked from', () => {
    const [one, other] = [asStranger(rider(6.4521, 3.3901), HERE), asStranger(rider(6.4527, 3.3907), HERE)]
    expect(one).toEqual(other)
    const steps = Array.from({ length: 200 }, (_, n) => ({ lat: HERE.lat + n / 10_000, lng: HERE.lng }))
    for (const from of steps) {
      const { distanceM } = asStranger(rider(6.4521, 3.3901), from)
      expect(distanceM).toBe(asStranger(rider(6.4527, 3.3907), from).distanceM)
      expect(distanceM % 500).toBe(0)
    }
  })
})
