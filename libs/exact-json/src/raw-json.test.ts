import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RawJson, stringify } from './raw-json.ts'

test('raw JSON in a reply reads as if it had been parsed and written again, wherever it stands', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (one, other, text) => {
      const raw = stringify({ one: new RawJson(JSON.stringify(one)), list: [text, new RawJson(JSON.stringify(other))] })
      expect(JSON.parse(raw)).toEqual(JSON.parse(JSON.stringify({ one, list: [text, other] })))
    }),
  )
})

test('text that looks like a replacement pattern is left alone', () => {
  const tricky = { a: '$& $1 $$ raw: "raw:0"' }
  expect(JSON.parse(stringify({ raw: new RawJson(JSON.stringify(tricky)), b: '$&' }))).toEqual({ raw: tricky, b: '$&' })
})
