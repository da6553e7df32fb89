import type { Parcel } from './parcel.ts'

/** What a rate card charges, in minor units and whole percent. */
export interface Tariff {
  baseMinor: number
  perKmMinor: number
  perKgMinor: number
  fragileMinor: number
  minimumMinor: number
  surgePercent: number
  vatPercent: number
}

export type FareCode = 'base' | 'distance' | 'weight' | 'fragile' | 'surge' | 'minimum' | 'vat'

export interface FareLine {
  code: FareCode
  label: string
  amountMinor: number
}

export interface Price {
  feeMinor: number
  /** Adds up to the fee; lines of nothing are left out, but for the base. */
  lines: FareLine[]
}

/**
 * What a delivery costs: base, kilometres, kilograms and fragile goods, then the surge on all of them, then what is
 * missing to the minimum, then VAT on everything. Each line is rounded to a whole minor unit, halves up.
 */
export function priceOf(tariff: Tariff, metres: number, parcel: Pick<Parcel, 'grams' | 'isFragile'>): Price {
  const { surgePercent, vatPercent } = tariff
  const bill = new Bill()
  bill.add('base', 'Base fee', tariff.baseMinor)
  bill.add('distance', `Distance, ${(metres / 1000).toFixed(1)} km`, share(tariff.perKmMinor, metres, 1000))
  bill.add('weight', `Weight, ${parcel.grams / 1000} kg`, share(tariff.perKgMinor, parcel.grams, 1000))
  bill.add('fragile', 'Fragile goods', parcel.isFragile ? tariff.fragileMinor : 0)
  bill.add('surge', `Surge, ${surgePercent} %`, share(bill.total, surgePercent, 100))
  bill.add('minimum', 'Up to the minimum fee', Math.max(0, tariff.minimumMinor - bill.total))
  bill.add('vat', `VAT, ${vatPercent} %`, share(bill.total, vatPercent, 100))
  return { feeMinor: bill.total, lines: bill.lines }
}

class Bill {
  readonly lines: FareLine[] = []
  total = 0

  add(code: FareCode, label: string, amountMinor: number): void {
    if (amountMinor === 0 && code !== 'base') return
    this.lines.push({ code, label, amountMinor })
    this.total += amountMinor
  }
}

/** amount * part / whole, halves up; the product may be larger than a number holds exactly. */
const share = (amount: number, part: number, whole: number): number =>
  Number((BigInt(amount) * BigInt(part) * 2n + BigInt(whole)) / BigInt(2 * whole))

const VALID_MS = 15 * 60_000

/** Until when a price holds that was told at that moment. */
export const priceExpiry = (at: Date): Date => new Date(at.getTime() + VALID_MS)
