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
  const page = (cursors: string[], next = cursors.at(-1) ?? null) =>
    json(200, { events: cursors.map((cursor) => ({ cursor, event_id: `e-${cursor}` })), next_cursor: next })
  async function followed(pages: Parameters<typeof answering>[0], after: string | undefined, last: string) {
    await using server = await answering(pages)
    const caller = new AbortController()
    const found: Array<[string, string]> = []
    for await (const { event, cursor } of server.dispatch.events.follow({
      after,
      intervalMs: 1,
      signal: caller.signal,
    })) {
      found.push([event.event_id, cursor])
      if (cursor === last) caller.abort()
    }
    return { found, asked: server.seen.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('after')) }
  }

  test('goes on behind what was read, past empty pages, until it is told to end; each event has its cursor', async () => {
    const { found, asked } = await followed([page(['1', '2']), page([]), page(['5']), page([])], '0', '5')
    expect(found).toEqual([
      ['e-1', '1'],
      ['e-2', '2'],
      ['e-5', '5'],
    ])
    expect(asked).toEqual(['0', '2', '2'])
  })

  test('asks no sooner again than it was told, however few events a page had', async () => {
    await using server = await answering([page(['1']), page(['2']), page(['3'])])
    const startedAt = performance.now()
    for await (const { cursor } of server.dispatch.events.follow({ intervalMs: 200 })) if (cursor === '3') break
    expect(performance.now() - startedAt).toBeGreaterThan(390)
    expect(server.seen).toHaveLength(3)
  })

  test('from the latest on asks for the end of the log once, and goes on behind it', async () => {
    const { found, asked } = await followed([page([], '7'), page([]), page(['8'])], 'latest', '8')
    expect(found).toEqual([['e-8', '8']])
    expect(asked).toEqual(['latest', '7', '7'])
  })
})
