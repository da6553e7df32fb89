import { describe, expect, test } from '@jest/globals'
import { parseExact } from '@svc/exact-json'
import fc from 'fast-check'
import { addressIn, currencyIn, cutTo, idIn, instantIn, minorIn, numberIn, phoneIn, textIn } from './mapping.ts'

const exact = (json: string): unknown => (parseExact(`{"v":${json}}`) as { v: unknown }).v

describe('an id', () => {
  test('keeps every digit, whether a double holds it or not', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (id) => {
        expect(idIn(exact(String(id)))).toBe(String(id))
      }),
    )
    for (const id of ['820982911946154508', '820982911946154496', '9007199254740992']) expect(idIn(exact(id))).toBe(id)
  })

  test.each([['1.5'], ['null'], ['{}'], ['[]'], ['true'], ['""'], ['1e30'], [JSON.stringify('x'.repeat(513))]])(
    'is not %s',
    (json) => {
      expect(idIn(exact(json))).toBeNull()
    },
  )
})

describe('an amount', () => {
  test.each([
    ['8.2', 'NGN', 820],
    ['8.20', 'NGN', 820],
    ['0.07', 'USD', 7],
    ['1100', 'XOF', 1100],
    ['1.234', 'KWD', 1234],
    ['1.230', 'NGN', 123],
    ['1.234', 'NGN', null],
    ['1.5', 'JPY', null],
    ['-1', 'NGN', null],
    ['1e3', 'NGN', null],
    ['', 'NGN', null],
    ['999999999999999.99', 'NGN', null],
  ])('of %s %s is %s in minor units', (text, currency, minor) => {
    expect(minorIn(text, currency)).toBe(minor)
  })

  test('comes digit by digit, as no double holds it', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 12), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        expect(minorIn(`${whole}.${String(cents).padStart(2, '0')}`, 'NGN')).toBe(whole * 100 + cents)
      }),
    )
  })
})

describe('a phone', () => {
  test.each([
    ['NG', '0803 123 4567', '+2348031234567'],
    ['NG', '2348031234567', '+2348031234567'],
    ['NG', '+234 (803) 123-4567', '+2348031234567'],
    ['US', '613-555-0191', '+16135550191'],
    ['KE', '0712 345678', '+254712345678'],
    [null, '08031234567', '+2348031234567'],
    [null, '00234 803 123 4567', '+2348031234567'],
    [null, '613-555-0191', null],
    ['NG', '555-555-SHIP', null],
    ['NG', '', null],
    ['NG', '12', null],
    ['XX', '0712 345678', null],
  ])('of %s, %s, is %s', (country, spelt, phone) => {
    expect(phoneIn(country, spelt)).toBe(phone)
  })

  test('is the first that is one', () => {
    expect(phoneIn('NG', null, '', 'SHIP', {}, '08031234567', '08039999999')).toBe('+2348031234567')
  })
})

describe('a time', () => {
  test.each([
    ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2023-04-07 23:13:52.669661+00', '2023-04-07T23:13:52.669Z'],
    ['2026-11-20', undefined],
    ['yesterday', undefined],
    ['2026-99-20T10:00:00Z', undefined],
  ])('of %s is %s', (text, at) => {
    expect(instantIn(text)?.toISOString()).toBe(at)
  })
})

test('whatever a field holds, nothing throws, and texts hold no control characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      for (const read of [idIn, numberIn, instantIn, currencyIn]) read(one)
      phoneIn(one, other)
      minorIn(one, currencyIn(other))
      const [text, address] = [textIn(one), addressIn(one, other)]
      for (const said of [text, address]) expect(said ?? '').not.toMatch(/[^\P{Cc}\n\t]/u)
      expect((address ?? 'abc').length).toBeGreaterThanOrEqual(3)
      expect(cutTo(text ?? '', 7).length).toBeLessThanOrEqual(7)
    }),
  )
})
