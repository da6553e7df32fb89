import { describe, expect, test } from '@jest/globals'
import { FACT_JSON_LIMIT_BYTES, factJson } from './fact-json.ts'

const big = 'é'.repeat(FACT_JSON_LIMIT_BYTES / 2)
const record = (raw: unknown, standardized: unknown) =>
  JSON.stringify({ schema_version: '1', status: 'pending', payment_verified: false, raw_payload: raw, standardized })

describe('the unified record in a fact', () => {
  test('is the very same text while it fits', () => {
    const json = record({ a: 'x' }, { pickup_address: 'A' })
    expect(factJson(json)).toBe(json)
  })

  test('loses the payload first, and only that when it is enough', () => {
    expect(JSON.parse(factJson(record({ big }, { items: [{ name: 'a' }] })))).toMatchObject({
      raw_payload: { truncated: true },
      standardized: { items: [{ name: 'a' }] },
    })
  })

  test('loses the items next', () => {
    const cut = JSON.parse(factJson(record({}, { items: [{ name: big }], mine: 1 })))
    expect(cut.standardized).toEqual({ items: { truncated: true }, mine: 1 })
  })

  test('never exceeds the limit, whatever unknown keys hold', () => {
    const json = factJson(record({}, { pickup_address: 'A', [big]: 1, mine: big }))
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(FACT_JSON_LIMIT_BYTES)
    expect(JSON.parse(json).standardized).toMatchObject({ pickup_address: 'A', truncated: true })
  })
})
