import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { createSecretBox } from './secret-box.ts'

const place = { table: 'endpoint', column: 'secret', row: 'm1', tenant: 'm1' }
const first = { id: 'k1', key: randomBytes(32) }
const second = { id: 'k2', key: randomBytes(32) }

describe('sealed secrets', () => {
  test('open only in the place they were sealed for', () => {
    const box = createSecretBox([first])
    const sealed = box.seal(place, 'the secret ✓')
    expect(box.open(place, sealed)).toBe('the secret ✓')
    for (const key of ['table', 'column', 'row', 'tenant'] as const) {
      expect(() => box.open({ ...place, [key]: 'other' }, sealed)).toThrow()
    }
  })

  test('a changed byte is noticed', () => {
    const box = createSecretBox([first])
    const sealed = box.seal(place, 'the secret')
    const bytes = Buffer.from(sealed.slice(3), 'base64')
    for (const at of [0, 20, 40, 65, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => box.open(place, `k1:${changed.toString('base64')}`)).toThrow()
    }
  })

  test('a new key-encryption key seals, the old one still opens, an unknown one is named', () => {
    const sealed = createSecretBox([first]).seal(place, 'the secret')
    const rotated = createSecretBox([second, first])
    expect(rotated.open(place, sealed)).toBe('the secret')
    expect(rotated.seal(place, 'the secret').startsWith('k2:')).toBe(true)
    expect(() => createSecretBox([second]).open(place, sealed)).toThrow('k1')
  })

  test('the same secret never looks the same twice', () => {
    const box = createSecretBox([first])
    expect(box.seal(place, 'the secret')).not.toBe(box.seal(place, 'the secret'))
  })
})
