import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseExact } from './parse-exact.ts'

const rewritten = (text: string) => JSON.stringify(parseExact(text))

describe('JSON that is read and written again', () => {
  test.each([
    '{"id":820982911946154508}',
    '{"ids":[9122821270554876574,-9007199254740993],"deep":{"amount":12345678901234567890.10}}',
    '{"rate":0.12345678901234567890}',
    '[1,2.5,-3,"12345678901234567890",null,true]',
    '12345678901234567890',
  ])('%s keeps every digit', (text) => {
    expect(rewritten(text)).toBe(text)
  })

  test('keeps every integer, however large, and reads what a number can hold as a number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
        expect(rewritten(`{"n":${integer}}`)).toBe(`{"n":${integer}}`)
        const { n } = parseExact(`{"n":${integer}}`) as { n: unknown }
        if (Number.isSafeInteger(Number(integer))) expect(n).toBe(Number(integer))
      }),
    )
  })

  test('is otherwise the same as without the care', () => {
    fc.assert(fc.property(fc.json(), (text) => expect(JSON.parse(rewritten(text))).toEqual(JSON.parse(text))))
  })
})
