import { describe, expect, test } from '@jest/globals'
import { requireCallbackUrl } from './callback-url.ts'

const inProduction = { allowsLocal: false }

describe('where a payer is sent afterwards', () => {
  test.each(['https://shop.example/done?x=1#top', 'https://shop.example:8443/'])('may be %s', (url) => {
    expect(requireCallbackUrl(url, inProduction)).toBe(url)
  })

  test('may be left out', () => {
    expect(requireCallbackUrl(undefined, inProduction)).toBeUndefined()
  })

  test.each([
    '',
    'shop.example',
    'http://shop.example/',
    'javascript:alert(1)',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https://shop.example/a b',
    'https://shop.example/\nX: y',
    `https://shop.example/${'x'.repeat(2048)}`,
  ])('is never %j', (url) => {
    for (const allowsLocal of [true, false])
      expect(() => requireCallbackUrl(url, { allowsLocal })).toThrow(
        expect.objectContaining({ code: 'validation_error' }),
      )
  })

  test.each(['http://localhost:3000/done', 'http://127.0.0.1/'])('is %s on a developer’s machine only', (url) => {
    expect(requireCallbackUrl(url, { allowsLocal: true })).toBe(url)
    expect(() => requireCallbackUrl(url, inProduction)).toThrow()
  })
})
