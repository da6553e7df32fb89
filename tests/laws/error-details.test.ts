import { describe, expect, test } from '@jest/globals'
import { DETAILS_OF, DETAILS_SHOWN, errorDetails, TOP_LEVEL } from '../../gateway/src/http/error-details.ts'
import { ERRORS, type ErrorCode } from '../../libs/errors/src/index.ts'
import { type File, files } from './tree.ts'

/** The names of details that sources give errors, by code, which the description of this code does not have. */
function breaches(sources: readonly File[]): string[] {
  return sources.flatMap((source) =>
    detailsIn(source).flatMap(({ code, names }) => {
      const described: readonly string[] = code
        ? (DETAILS_OF[code as ErrorCode] ?? [])
        : Object.keys(errorDetails.shape)
      return names
        .filter((name) => !described.includes(name))
        .map((name) => `${source.path}: ${code ?? 'an error'} has details.${name}`)
    }),
  )
}

/** `new ServiceError('limit_reached', { details: { limit } })`; the code is undefined where it is no literal. */
function detailsIn({ text }: File): Array<{ code: string | undefined; names: string[] }> {
  return [...text.matchAll(/new ServiceError\(\s*(?:'(\w+)'|\w+), \{/g)].flatMap(({ 0: head, 1: code, index }) => {
    const options = objectAt(text, index + head.length - 1)
    const at = options.search(/\bdetails: \{/)
    if (at === -1) return []
    return [{ code, names: keysOf(objectAt(options, options.indexOf('{', at))) }]
  })
}

/** The object literal that begins there. */
function objectAt(text: string, start: number): string {
  let depth = 0
  for (let end = start; end < text.length; end++) {
    if (text[end] === '{') depth++
    if (text[end] === '}' && --depth === 0) return text.slice(start, end + 1)
  }
  return ''
}

/** The keys of an object literal, without those of the objects, lists and calls inside it. */
function keysOf(literal: string): string[] {
  let flat = literal.slice(1, -1)
  for (let inner = ''; inner !== flat; ) {
    inner = flat
    flat = flat.replaceAll(/\([^(){}[\]]*\)|\{[^(){}[\]]*\}|\[[^(){}[\]]*\]/g, '')
  }
  return flat.split(',').flatMap((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1] ?? [])
}

describe('details of errors', () => {
  test('are described, each name and for its code', async () => {
    const sources = await files('{gateway,services/*,libs/*}/src/**/*.ts')
    const own = sources.filter(({ path }) => !path.endsWith('.test.ts'))
    expect(own.flatMap(detailsIn).length).toBeGreaterThan(80)
    expect(breaches(own)).toEqual([])
  })

  test('that are shown are among those of their code, and of the shape that is described', () => {
    for (const [code, shown] of Object.entries(DETAILS_SHOWN)) {
      expect([code, Object.keys(ERRORS)]).toEqual([code, expect.arrayContaining([code])])
      expect([code, DETAILS_OF[code as ErrorCode]]).toEqual([code, expect.arrayContaining(Object.keys(shown))])
      expect([code, errorDetails.safeParse(shown).error]).toEqual([code, undefined])
    }
  })

  test('that stand at the top level too are those of every code with status 402', () => {
    const ofWallets = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].http === 402)
    expect(ofWallets.map((code) => TOP_LEVEL[code])).toEqual(ofWallets.map(() => ['required_minor', 'balance_minor']))
  })

  test('an undescribed name is found, of a code and of any', () => {
    const text = `throw new ServiceError('limit_reached', { message: f(\`{\${a}}\`), details: { limit: g({ b: 1 }), most: 3 } })
      throw new ServiceError(code, {
        details: { status, colour, ...(x && { reason }) },
      })`
    expect(breaches([{ path: 'a.ts', text }])).toEqual([
      'a.ts: limit_reached has details.most',
      'a.ts: an error has details.colour',
    ])
  })
})
