import { describe, expect, test } from '@jest/globals'
import { answering, json } from './answering.ts'

const orders = (ids: string[], next: string | null) =>
  json(200, { orders: ids.map((id) => ({ id })), total: 3, limit: 2, offset: 0, next_cursor: next })
const riders = (ids: string[]) => json(200, { items: ids.map((id) => ({ id })), total: 3, limit: 2, offset: 0 })

describe('a list', () => {
  test('is its first page where it is awaited', async () => {
    await using server = await answering([orders(['a', 'b'], 'next')])
    await expect(server.dispatch.listOrders()).resolves.toMatchObject({ total: 3 })
    expect(server.seen).toHaveLength(1)
  })

  test('is every item of every page where it is iterated, by cursor', async () => {
    await using server = await answering([orders(['a', 'b'], 'next'), orders(['c'], null)])
    const found: string[] = []
    for await (const { id } of server.dispatch.listOrders({ status: 'pending' })) found.push(id)
    expect(found).toEqual(['a', 'b', 'c'])
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/v1/orders?status=pending',
      '/v1/orders?status=pending&cursor=next',
    ])
  })

  test('and by offset, from where it began', async () => {
    await using server = await answering([riders(['a', 'b']), riders(['c'])])
    const found: string[] = []
    for await (const { id } of server.dispatch.listFleetRiders({ offset: 4 })) found.push(id)
    expect(found).toEqual(['a', 'b', 'c'])
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/me/fleet/riders?offset=4', '/v1/me/fleet/riders?offset=6'])
  })
})

describe('following events', () => {
  const page = (ids: string[], next: string | null) =>
    json(200, { events: ids.map((event_id) => ({ event_id })), next_cursor: next })

  test('goes on behind what was read, past empty pages, until it is told to end', async () => {
    await using server = await answering([page(['a', 'b'], '2'), page([], null), page(['c'], '3'), page([], null)])
    const caller = new AbortController()
    const found: Array<[string, string | undefined]> = []
    for await (const { event, cursor } of server.dispatch.events.follow({
      after: '0',
      intervalMs: 1,
      signal: caller.signal,
    })) {
      found.push([event.event_id, cursor])
      if (event.event_id === 'c') caller.abort()
    }
    // Within a page the cursor is the one before it: whoever stops there sees its first events again, and misses none.
    expect(found).toEqual([
      ['a', '0'],
      ['b', '2'],
      ['c', '3'],
    ])
    expect(server.seen.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('after'))).toEqual(['0', '2', '2'])
  })
})
