import type { DeliveryDispatch } from './client.ts'
import type { Event } from './generated/types.ts'
import { pause } from './pause.ts'

export interface FollowOptions {
  /** Goes on behind a `cursor` of before; without it from the first event that the log still has. */
  after?: string
  /** Milliseconds between questions while nothing happens: 2,000 unless given. */
  intervalMs?: number
  signal?: AbortSignal
}

export interface Followed {
  event: Event
  /** To be kept once the event is handled: `after` it nothing that was not yielded is left out, though some may come again. */
  cursor: string | undefined
}

const PAGE = 200

/** The events of the log, and on as they are written; ends where the signal says so. */
export async function* follow(
  dispatch: DeliveryDispatch,
  { after, intervalMs = 2_000, signal }: FollowOptions = {},
): AsyncGenerator<Followed, void, undefined> {
  let cursor = after
  while (!signal?.aborted) {
    const { events, next_cursor: next } = await ended(
      dispatch.listEvents({ after: cursor, limit: PAGE }, { signal }),
      signal,
    )
    for (const [index, event] of events.entries()) {
      if (index === events.length - 1) cursor = next ?? cursor
      yield { event, cursor }
    }
    if (events.length === 0) await pause(intervalMs, signal)
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
