import { describe, expect, test } from '@jest/globals'
import { RawJson } from '@svc/exact-json'
import * as z from 'zod'
import { id, instant, orNull, rawJson, required, whole, words } from './pieces.ts'

const body = z.object({
  id,
  status: words('open', 'closed'),
  count: whole,
  closed_at: orNull(instant),
  record: rawJson(z.object({ schema_version: z.string() })),
})

const message = { id: 'not even a UUID', status: 'reopened', count: 1.5, record: '{"schema_version" : 1}' }

describe('a body that we send', () => {
  test('holds what its schema names, and null where it promises what the message lacks', () => {
    const sent = { ...message, secret: 'x', record: new RawJson(message.record), closed_at: null }
    const { secret: _stripped, ...named } = sent
    expect(body.parse({ ...message, secret: 'x' })).toEqual(named)
    expect(body.parse({ ...message, closed_at: 'soon' }).closed_at).toBe('soon')
  })

  test('is described, not judged: no stored value turns into a failure', () => {
    expect(body.safeParse(message).success).toBe(true)
  })

  test('lacks nothing that it promises and the message always has', () => {
    const { status: _gone, ...rest } = message
    expect(body.safeParse(rest).error?.issues).toEqual([expect.objectContaining({ path: ['status'] })])
  })

  test.each(['input', 'output'] as const)('has all its fields in the document of an %s', (io) => {
    const shown = z.toJSONSchema(body, { io, unrepresentable: 'any' })
    expect(shown.required?.toSorted()).toEqual(Object.keys(body.shape).toSorted())
    expect(shown.properties?.['status']).toEqual({ type: 'string', enum: ['open', 'closed'] })
    expect(shown.properties?.['id']).toEqual(expect.objectContaining({ type: 'string', format: 'uuid' }))
  })
})

test('a reply without its message is a fault of ours', () => {
  expect(required('message')).toBe('message')
  expect(() => required(undefined)).toThrow('without its message')
})
