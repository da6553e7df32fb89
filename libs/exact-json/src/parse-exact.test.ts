import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { countContainers } from './count-containers.ts'
import { parseExact } from './parse-exact.ts'

const rewritten = (text: string) => JSON.stringify(parseExact(text))

/** Numbers of any length and spelling. */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.nat().map(String),
      fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
      fc.constantFrom('9007199254740991', '9007199254740993', '100000000000000000000', '0'),
    ),
    fc.option(fc.stringMatching(/^\d{1,25}$/), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), fc.integer({ min: 0, max: 99 })), {
      nil: undefined,
    }),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [sign, whole, fraction === undefined ? '' : `.${fraction}`, exponent?.join('') ?? ''].join(''),
  )

const space = fc.constantFrom('', ' ', '\n', '\t ')
/** What may be mistaken for a number, a string's end or one of ours. */
const string = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"12345678901234567890"',
    '"\\""',
    '"\\\\"',
    '"\\\\\\":12345678901234567890,"',
    '"[12345678901234567890"',
    '"\\u0031\\ud83d\\ude00 1234567890.1234567890"',
  ),
)
/** A JSON text, and how it is written again. */
interface Sample {
  text: string
  again: string
}

const LONG = '1234567890123456789'
const isLong = (source: string) => source.replace(/^-/, '').length > 15 && String(Number(source)) !== source
const numbers = number.map((text): Sample => ({ text, again: isLong(text) ? text : JSON.stringify(Number(text)) }))
const strings = string.map((text): Sample => ({ text, again: JSON.stringify(JSON.parse(text)) }))
const keys = strings.filter(({ again }) => !again.includes('\\'))
const words = fc.constantFrom('true', 'false', 'null').map((text): Sample => ({ text, again: text }))
const { json } = fc.letrec<{ json: Sample; array: Sample; object: Sample }>((tie) => ({
  json: fc.oneof({ depthSize: 'small' }, numbers, strings, words, tie('array'), tie('object')),
  array: fc.array(fc.tuple(space, tie('json'))).map((items) => ({
    text: `[${items.map(([around, { text }]) => around + text + around).join()}]`,
    again: `[${items.map(([, { again }]) => again).join()}]`,
  })),
  // Its keys differ, and none is one that an object puts first: what is written stands in the order of the text.
  object: fc.array(fc.tuple(keys, space, tie('json'))).map((members) => {
    const named = members.map(([{ text, again }, around, value], n) => ({
      text: `${around}"k${n} ${text.slice(1)}${around}:${around}${value.text}`,
      again: `"k${n} ${again.slice(1)}:${value.again}`,
    }))
    return {
      text: `{${named.map(({ text }) => text).join()}}`,
      again: `{${named.map(({ again }) => again).join()}}`,
    }
  }),
}))

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

  test('keeps the spelling of long numbers alone, wherever numbers, strings and spaces stand', () => {
    fc.assert(fc.property(json, ({ text, again }) => expect(rewritten(`[${LONG},${text}]`)).toBe(`[${LONG},${again}]`)))
  })

  test('has of a repeated key the last value, and keys in the order of an object', () => {
    expect(rewritten('{"a":1,"a":12345678901234567890,"2":12345678901234567891,"1":0}')).toBe(
      '{"1":0,"2":12345678901234567891,"a":12345678901234567890}',
    )
    expect(rewritten('{"a":12345678901234567890,"a":1}')).toBe('{"a":1}')
  })

  test('is refused exactly where it is no JSON', () => {
    const isJson = (read: () => unknown): boolean => {
      try {
        read()
        return true
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
        return false
      }
    }
    const piece = fc.constantFrom('12345678901234567890', '"', '\\', ':', '-', '.', 'e', '{', '}', ',', '0', 'x', ' ')
    const broken = fc.tuple(json, fc.nat(), fc.nat({ max: 3 }), piece).map(([{ text }, at, cut, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + cut)
    })
    fc.assert(
      fc.property(broken, (text) => expect(isJson(() => parseExact(text))).toBe(isJson(() => JSON.parse(text)))),
      {
        numRuns: 1_000,
        examples: [['{12345678901234567890:1}'], ['{12345678901234567890 :1}'], ['[-12345678901234567890.]']],
      },
    )
  })

  test('takes the care below one field where one is named', () => {
    const text = '{"a":12345678901234567890,"b":[12345678901234567890]}'
    expect(JSON.stringify(parseExact(text, 'b'))).toBe('{"a":12345678901234567000,"b":[12345678901234567890]}')
    expect(parseExact('[12345678901234567890]', 'b')).toEqual([12345678901234567000])
  })
})

describe('arrays and objects', () => {
  test('are counted before the text is parsed, those inside strings not', () => {
    const containersOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((found: number, inner) => found + containersOf(inner), 1)
        : 0
    fc.assert(fc.property(json, ({ text }) => expect(countContainers(text, 1e9)).toBe(containersOf(JSON.parse(text)))))
    expect(countContainers('{"a[{":[{},"\\"{[",[1]]}', 100)).toBe(4)
    expect(countContainers('[[[[[', 2)).toBe(3)
  })
})
