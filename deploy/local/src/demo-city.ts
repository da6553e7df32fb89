export interface DemoRider {
  id: string
  name: string
  phone: string
  vehicle_type: string
  lat: number
  lng: number
}

/** Lagos, roughly: the mainland south of Ikeja, the islands, Lekki. */
export const LAGOS = {
  name: 'Lagos',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [3.1, 6.35],
        [3.75, 6.35],
        [3.75, 6.75],
        [3.1, 6.75],
        [3.1, 6.35],
      ],
    ],
  },
}

/** For every merchant: 500 naira, 100 a kilometre, at least 700. */
export const RATE_CARD = {
  name: 'Lagos',
  currency: 'NGN',
  base_minor: 50_000,
  per_km_minor: 10_000,
  minimum_minor: 70_000,
}

const NAMES =
  'Ade Bisi Chuka Dayo Efe Femi Gozie Hauwa Ike Jide Kemi Lanre Musa Ngozi Obi Pelumi Quam Rotimi Sade Tunde'
const VEHICLES = ['motorcycle', 'motorcycle', 'car', 'motorcycle', 'van'] as const

/** Twenty riders around Marina Road, the same at every start. */
export function demoRiders(riderId: (number: number) => string): DemoRider[] {
  return NAMES.split(' ').map((name, index) => ({
    id: riderId(index),
    name: `${name} Demo`,
    phone: `+23470000000${String(index).padStart(2, '0')}`,
    vehicle_type: VEHICLES[index % VEHICLES.length] as string,
    // A grid of 5 by 4, some 600 m apart.
    lat: 6.44 + Math.floor(index / 5) * 0.0055,
    lng: 3.38 + (index % 5) * 0.0055,
  }))
}
