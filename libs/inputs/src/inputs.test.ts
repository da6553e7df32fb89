import { describe, expect, test } from '@jest/globals'
import { optionalUuid, pageOf, resourceId, uuidField } from './index.ts'

const ID = '0B9E1C52-6E0F-4C55-9A0E-0F6A3C1D2E3F'

describe('pages', () => {
  test('without a limit have 50 rows, and never more than the most', () => {
    expect(pageOf({ limit: 0, offset: 7 })).toEqual({ limit: 50, offset: 7 })
    expect(pageOf({ limit: 200, offset: 0 })).toEqual({ limit: 200, offset: 0 })
    expect(pageOf({ limit: 500, offset: 0 }, 500)).toEqual({ limit: 500, offset: 0 })
  })

  test.each([
    ['limit', { limit: 201, offset: 0 }],
    ['limit', { limit: -1, offset: 0 }],
    ['limit', { limit: Number.NaN, offset: 0 }],
    ['offset', { limit: 1, offset: -1 }],
    ['offset', { limit: 1, offset: Number.NaN }],
  ])('beyond their bounds are refused by the name of the %s', (field, asked) => {
    expect(() => pageOf(asked)).toThrow(expect.objectContaining({ details: expect.objectContaining({ field }) }))
  })
})

describe('ids', () => {
  test('are of one spelling', () => {
    expect([resourceId(ID), uuidField('x', ID), optionalUuid('x', ID)]).toEqual(Array(3).fill(ID.toLowerCase()))
    expect(optionalUuid('x', undefined)).toBeNull()
  })

  test.each(['', 'x', `${ID}0`, `{${ID}}`, ID.replaceAll('-', '')])('%p names nothing, and is no field', (text) => {
    expect(() => resourceId(text)).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(() => uuidField('order_id', text)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: expect.objectContaining({ field: 'order_id' }) }),
    )
  })
})
