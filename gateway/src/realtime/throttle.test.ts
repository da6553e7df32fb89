import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { Throttle } from './throttle.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

function throttled() {
  const sent: string[] = []
  return { sent, throttle: new Throttle<string>({ intervalMs: 1_000, send: (value) => sent.push(value) }) }
}

test('of a burst the first goes out at once and the last when the interval ends', () => {
  const { sent, throttle } = throttled()
  for (const value of ['a', 'b', 'c']) throttle.offer('rider', value)
  expect(sent).toEqual(['a'])
  jest.advanceTimersByTime(1_000)
  expect(sent).toEqual(['a', 'c'])
})

test('no two messages of a key are closer than the interval, however many come', () => {
  const { sent, throttle } = throttled()
  for (let ms = 0; ms < 10_000; ms += 100) {
    throttle.offer('rider', String(ms))
    jest.advanceTimersByTime(100)
  }
  expect(sent.length).toBeGreaterThanOrEqual(10)
  expect(sent.length).toBeLessThanOrEqual(11)
})

test('keys do not wait for one another', () => {
  const { sent, throttle } = throttled()
  throttle.offer('one', '1')
  throttle.offer('two', '2')
  expect(sent).toEqual(['1', '2'])
})

test('after a rest the next message goes out at once', () => {
  const { sent, throttle } = throttled()
  throttle.offer('rider', 'a')
  jest.advanceTimersByTime(1_001)
  throttle.offer('rider', 'b')
  expect(sent).toEqual(['a', 'b'])
})

test('nothing goes out after it was stopped', () => {
  const { sent, throttle } = throttled()
  throttle.offer('rider', 'a')
  throttle.offer('rider', 'b')
  throttle.stop()
  jest.advanceTimersByTime(5_000)
  expect(sent).toEqual(['a'])
})
