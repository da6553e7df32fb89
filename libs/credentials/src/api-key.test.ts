import { describe, expect, test } from '@jest/globals'
import { mintApiKey, parseApiKey } from './api-key.ts'
import { checksum } from './checksum.ts'

const VECTOR = 'svc_test_AbCdEfGhIjKl_0123456789ABCDEFGHIJKLMNOPQRSTUV4RVUSe'

describe('API keys', () => {
  test('the published vector has the checksum that anybody can compute', () => {
    expect(checksum(VECTOR.slice(0, -6))).toBe('4RVUSe')
    expect(parseApiKey(VECTOR)).toMatchObject({ keyId: 'AbCdEfGhIjKl', isTest: true })
  })

  test('small checksums are padded to six characters', () => {
    // CRC-32 of nothing is 0.
    expect(checksum('')).toBe('000000')
  })

  test('every minted key reads back, with its environment in the open', () => {
    for (const isTest of [true, false]) {
      const key = mintApiKey({ isTest })
      expect(key.text).toMatch(isTest ? /^svc_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/ : /^svc_live_/)
      expect(parseApiKey(key.text)).toEqual({ keyId: key.keyId, isTest, secretSha256: key.secretSha256 })
    }
  })

  test('one wrong character anywhere makes a key malformed', () => {
    for (let at = 0; at < VECTOR.length; at++) {
      const wrong = VECTOR[at] === 'x' ? 'y' : 'x'
      expect(parseApiKey(VECTOR.slice(0, at) + wrong + VECTOR.slice(at + 1))).toBeNull()
    }
  })

  test.each([
    '',
    'svc_test_',
    `${VECTOR}x`,
    `${VECTOR}\n`,
    ` ${VECTOR}`,
    VECTOR.slice(0, -1),
    VECTOR.replace('test', 'prod'),
  ])('refuses %j', (text) => {
    expect(parseApiKey(text)).toBeNull()
  })

  test('a seed always gives the same key, another one for each environment', () => {
    const key = (seed: string, isTest: boolean) => mintApiKey({ isTest, seed }).text
    expect(key('a', true)).toBe(key('a', true))
    expect(key('a', true)).not.toBe(key('b', true))
    expect(key('a', true).slice(9)).not.toBe(key('a', false).slice(9))
  })

  test('keys without a seed never repeat', () => {
    const texts = new Set(Array.from({ length: 1000 }, () => mintApiKey({ isTest: true }).text))
    expect(texts.size).toBe(1000)
  })

  test('rotation keeps the id and changes the secret', () => {
    const before = mintApiKey({ isTest: true })
    const after = mintApiKey({ isTest: true, keyId: before.keyId })
    expect(after.prefix).toBe(before.prefix)
    expect(after.secretSha256.equals(before.secretSha256)).toBe(false)
  })
})
