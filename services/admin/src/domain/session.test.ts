import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Session } from './session.ts'

const start = new Date('2026-01-01T00:00:00Z')
const after = (ms: number) => new Date(start.getTime() + ms)

function session(generation: number): Session {
  return Object.assign(Object.create(Session.prototype) as Session, { generation, rotatedAt: start, epoch: 0 })
}

describe('a refresh family', () => {
  test('the present token rotates, its predecessor repeats for ten seconds and not longer', () => {
    expect(session(3).judge(3, after(999_999))).toBe('rotate')
    expect(session(3).judge(2, after(10_000))).toBe('replay')
    expect(session(3).judge(2, after(10_001))).toBe('reuse')
  })

  test('the grace ends when the successor is used', () => {
    const family = session(2)
    expect(family.judge(1, after(1))).toBe('replay')
    family.rotate(after(2), after(2))
    expect(family.judge(1, after(3))).toBe('reuse')
  })

  test('no token but the present one ever rotates', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(60_000), (present, shown, ms) => {
        const rotates = session(present).judge(shown, after(ms)) === 'rotate'
        expect(rotates).toBe(shown === present)
      }),
    )
  })
})
