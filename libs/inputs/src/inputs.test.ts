import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import {
  amountMinor,
  atLeastOne,
  maybe,
  optionalUuid,
  pageFields,
  pageOf,
  resourceId,
  text,
  uuid,
  uuidField,
  validate,
} from './index.ts'

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

describe('pages of a message', () => {
  const asked = z.object(pageFields())

  test('have 50 rows where they ask for none', () => {
    expect(validate(asked, { limit: 0, offset: 7 })).toEqual({ limit: 50, offset: 7 })
    expect(validate(asked, { limit: 200, offset: 0 })).toEqual({ limit: 200, offset: 0 })
    expect(validate(z.object(pageFields(500)), { limit: 500, offset: 0 })).toEqual({ limit: 500, offset: 0 })
  })

  test.each([
    ['limit', { limit: 201, offset: 0 }],
    ['limit', { limit: -1, offset: 0 }],
    ['offset', { limit: 1, offset: -1 }],
  ])('beyond their bounds are refused by the name of the %s', (field, page) => {
    expect(() => validate(asked, page)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field }) }),
    )
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

describe('a request', () => {
  const request = z.object({ order_id: uuid, amount_minor: amountMinor, note: maybe(text(3)) })

  test('is what its schema reads: what may be absent is undefined, however the absence was spelt', () => {
    const read = { order_id: ID, amount_minor: 1, note: undefined }
    expect(validate(request, { order_id: ID, amount_minor: 1, note: null })).toEqual(read)
    expect(validate(request, { order_id: ID, amount_minor: 1 })).toEqual(read)
    expect(validate(request, { order_id: ID, amount_minor: 1, note: 'abc' }).note).toBe('abc')
  })

  test('that breaks rules is refused naming each of them', () => {
    const refused = () => validate(request, { order_id: 'x', amount_minor: -1, note: 'abcd' })
    expect(refused).toThrow(expect.objectContaining({ code: 'validation_error' }))
    try {
      refused()
    } catch (error) {
      expect((error as { details: { fields: object[] } }).details.fields).toEqual([
        expect.objectContaining({ field: 'order_id', rule: 'uuid' }),
        expect.objectContaining({ field: 'amount_minor', rule: 'min', limit: 0 }),
        expect.objectContaining({ field: 'note', rule: 'max', limit: 3 }),
      ])
    }
  })

  test('is judged by what it was turned into, under the name it came by', () => {
    const listed = z.object({
      events: z
        .custom<{ names: string[] } | undefined>()
        .transform((list) => list?.names)
        .pipe(z.array(z.enum(['a', 'b'])).optional()),
    })
    expect(validate(listed, { events: { names: ['b'] } })).toEqual({ events: ['b'] })
    expect(() => validate(listed, { events: { names: ['a', 'c'] } })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ field: 'events[1]', rule: 'enum', allowed: ['a', 'b'] }),
      }),
    )
  })

  test('that must change something names its first field where it does not', () => {
    const change = atLeastOne(z.object({ name: text(9).optional(), note: text(9).optional() }))
    expect(validate(change, { note: 'x' })).toEqual({ note: 'x' })
    expect(() => validate(change, {})).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'name', rule: 'required' }) }),
    )
  })
})
