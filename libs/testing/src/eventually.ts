import { setTimeout as delay } from 'node:timers/promises'

interface EventuallyOptions {
  timeoutMs?: number
  intervalMs?: number
  message?: string
}

type Falsy = false | 0 | '' | null

/**
 * The first truthy answer of `check`, which is asked until it neither throws nor answers falsy; fails with the last
 * error when that takes too long. A check without an answer (undefined) counts as passed once it does not throw.
 */
export async function eventually<T>(
  check: () => Promise<T> | T,
  options: EventuallyOptions = {},
): Promise<Exclude<T, Falsy>> {
  const { timeoutMs = 60_000, intervalMs = 20, message = 'the awaited fact did not come' } = options
  const giveUpAt = performance.now() + timeoutMs
  let last: unknown
  for (;;) {
    try {
      const answer = await check()
      if (answer || answer === undefined) return answer as Exclude<T, Falsy>
      last = answer
    } catch (error) {
      last = error
    }
    if (performance.now() > giveUpAt) {
      const why = last instanceof Error ? last.message : `last answer: ${JSON.stringify(last)}`
      throw new Error(`${message} within ${timeoutMs} ms: ${why}`, { cause: last })
    }
    await delay(intervalMs)
  }
}

/** What a service answers once it can: a busy one asks to come again, and a caller does. */
export async function onceAvailable<T>(call: () => Promise<T>): Promise<T> {
  const answer = await eventually(async () => {
    const [one] = await Promise.allSettled([call()])
    if (one.status === 'rejected' && one.reason?.code === 'service_unavailable') throw one.reason
    return one
  })
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}
