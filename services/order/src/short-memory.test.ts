import { describe, expect, test } from '@jest/globals'
import { shortMemory } from './short-memory.ts'

describe('a short memory', () => {
  test('knows what was kept until its time is over, and nothing else', () => {
    const memory = shortMemory(60_000)
    memory.keep('kept')
    expect([memory.has('kept'), memory.has('other')]).toEqual([true, false])
    const none = shortMemory(0)
    none.keep('kept')
    expect(none.has('kept')).toBe(false)
  })

  test('rather forgets than grows without end', () => {
    const memory = shortMemory(60_000)
    memory.keep('first')
    for (let n = 0; n < 10_000; n++) memory.keep(String(n))
    expect([memory.has('first'), memory.has('9999')]).toEqual([false, true])
  })
})
