import { describe, expect, test } from '@jest/globals'
import { normalizedEmail } from './email.ts'
import { assertPassword } from './password-policy.ts'
import { redactedJson } from './redact.ts'
import { slugOf } from './slug.ts'

const refused = (field: string, rule: string) =>
  expect.objectContaining({ code: 'validation_error', details: expect.objectContaining({ field, rule }) })

describe('passwords', () => {
  test.each([
    ['123456789', 'min_length'],
    ['x'.repeat(129), 'max_length'],
    ['PASSWORD123', 'common'],
    ['1234567890', 'common'],
  ])('%s is refused', (password, rule) => {
    expect(() => assertPassword(password)).toThrow(refused('password', rule))
  })

  test.each(['ten chars!', 'x'.repeat(128), '🔑'.repeat(10)])('%s is taken', (password) => {
    expect(() => assertPassword(password)).not.toThrow()
  })
})

describe('e-mail addresses', () => {
  test('two spellings of one address are one', () => {
    expect(normalizedEmail(' Ada@Example.COM ')).toBe('ada@example.com')
  })

  test.each(['', 'a', 'a@b', 'a@@b.c', 'a b@c.d', 'a@b.c>', `${'a'.repeat(250)}@b.co`])('%s is no address', (text) => {
    expect(() => normalizedEmail(text)).toThrow(refused('email', 'format'))
  })
})

test.each([
  ['Mama Put & Co.', 'mama-put-co'],
  ['Ọ̀ṣun Foods', 'osun-foods'],
  ['东方', 'merchant'],
  ['--', 'merchant'],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

describe('what the audit log keeps', () => {
  test('holds no secret, at any depth', () => {
    const json = JSON.stringify({
      name: 'a',
      webhook_secret: 's',
      deep: [{ api_key: 'k', token: 't' }],
      api_key_prefix: 'p',
    })
    expect(JSON.parse(redactedJson(json)!)).toEqual({
      name: 'a',
      webhook_secret: '[redacted]',
      deep: [{ api_key: '[redacted]', token: '[redacted]' }],
      api_key_prefix: 'p',
    })
  })

  test('is JSON or nothing', () => {
    expect(redactedJson('not json')).toBeNull()
    expect(redactedJson(undefined)).toBeNull()
  })
})
