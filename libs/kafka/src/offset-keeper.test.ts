import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { offsetKeeper } from './offset-keeper.ts'

const EVERY_MS = 1_000
let told: number
let done: number
const commit = async () => {
  told = done
}

beforeEach(() => {
  jest.useFakeTimers()
  told = 0
  done = 0
})
afterEach(() => {
  jest.useRealTimers()
})

test('the broker is told of the first facts at once, of those that follow once in a second, and of the last after one', async () => {
  const commits = jest.fn(commit)
  const keeper = offsetKeeper(EVERY_MS)
  const finish = () => {
    done += 1
    return keeper.done(commits)
  }
  await finish()
  expect(told).toBe(1)
  for (let batch = 0; batch < 40; batch++) {
    await finish()
    await jest.advanceTimersByTimeAsync(EVERY_MS / 20)
  }
  expect(commits.mock.calls.length).toBeLessThanOrEqual(4)
  await jest.advanceTimersByTimeAsync(EVERY_MS)
  expect(told).toBe(done)
  const calls = commits.mock.calls.length
  await jest.advanceTimersByTimeAsync(10 * EVERY_MS)
  expect(commits.mock.calls.length).toBe(calls)
})

test('a member that stops tells how far it is, and so do the batches that it still has in hand', async () => {
  const keeper = offsetKeeper(EVERY_MS)
  for (done = 1; done < 3; done++) await keeper.done(commit)
  await keeper.close()
  expect(told).toBe(done)
  done += 1
  await keeper.done(commit)
  expect(told).toBe(done)
})

test('what was done before a fact that failed is told, and a membership that has ended tells nothing', async () => {
  const keeper = offsetKeeper(EVERY_MS)
  await keeper.done(commit)
  done = 5
  await keeper.failed(commit)
  expect(told).toBe(5)
  done = 6
  await keeper.done(commit)
  keeper.forget()
  await jest.advanceTimersByTimeAsync(2 * EVERY_MS)
  await keeper.close()
  expect(told).toBe(5)
})
