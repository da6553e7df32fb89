import type { DeliveryDispatch } from './client.ts'
import type { Event } from './generated/types.ts'
import { pause } from './pause.ts'

export interface FollowOptions {
  /**
   * Goes on behind the `cursor` of an event of before. `latest` begins with what happens from now on; without it the first
   * event is the oldest that the log still has.
   */
  after?: string
  /** Milliseconds between questions at the end of the log: 2,000 unless given. */
  intervalMs?: number
  signal?: AbortSignal
}

export interface Followed {
  event: Event
  /** That of the event, to be kept once it is handled: `after` it come all that follow, and nothing comes again. */
  cursor: string
}

const PAGE = 200

/** The events of the log, and on as they are written; ends where the signal says so. */
export async function* follow(
  dispatch: DeliveryDispatch,
  { after, intervalMs = 2_000, signal }: FollowOptions = {},
): AsyncGenerator<Followed, void, undefined> {
  let next = after
  while (!signal?.aborted) {
    const { events, next_cursor } = await ended(dispatch.listEvents({ after: next, limit: PAGE }, { signal }), signal)
    for (const event of events) yield { event, cursor: event.cursor }
    next = next_cursor ?? next
    // What is not full is the end of the log for now: asking at once again would use up the key for an event or two.
    if (events.length < PAGE) await pause(intervalMs, signal)
  }
}

/** A question that the signal broke off is an empty answer: the loop ends by itself. */
async function ended<Page extends { events: Event[]; next_cursor: string | null }>(
  page: PromiseLike<Page>,
  signal: AbortSignal | undefined,
): Promise<Pick<Page, 'events' | 'next_cursor'>> {
  try {
    return await page
  } catch (error) {
    if (signal?.aborted) return { events: [], next_cursor: null }
    throw error
  }
}
