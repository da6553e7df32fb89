import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import { SOCKET_BODIES } from '../../gateway/src/bodies/realtime.ts'
import { type File, files } from './tree.ts'

interface Message {
  $ref?: string
  payload?: object
  examples?: Array<{ payload: unknown }>
}
interface Document {
  channels: Record<string, { messages: Record<string, Message> }>
  components: { messages: Record<string, Message>; schemas: Record<string, object> }
}

/** The one place from which sockets are told anything: there the event names the schema by which it is sent. */
const SENDER = 'gateway/src/realtime/emit.ts'

/** What sockets receive and the description does not have, what it has and nobody sends, and examples that are none. */
function breaches(events: readonly string[], { channels, components }: Document, sources: readonly File[]): string[] {
  const described = Object.values(channels).flatMap(({ messages }) => Object.keys(messages))
  return [
    ...events.filter((name) => !described.includes(name)).map((name) => `${name} is on no channel`),
    ...events.flatMap((name) => faultsOf(name, components)),
    ...described
      .filter((name) => !['handshake', 'connect_error', ...events].includes(name))
      .map((name) => `${name} is never sent`),
    ...sources
      .filter(({ path, text }) => path !== SENDER && /\.emit\('\w+'/.test(text))
      .map(({ path }) => `${path} sends past ${SENDER}`),
  ]
}

function faultsOf(name: string, { messages, schemas }: Document['components']): string[] {
  const { payload, examples = [] } = messages[name] ?? {}
  const whole = JSON.stringify({ ...payload, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  const schema = z.fromJSONSchema(JSON.parse(whole) as Parameters<typeof z.fromJSONSchema>[0])
  if (examples.length === 0) return [`${name} has no example`]
  return examples
    .filter(({ payload: example }) => !schema.safeParse(example).success)
    .map(() => `${name} has an example that its schema refuses`)
}

describe('the description of the sockets', () => {
  test('has every event that they receive, with an example that its schema takes', async () => {
    const [file] = await files('gateway/asyncapi.json')
    const sources = await files('gateway/src/**/*.ts')
    expect(sources.map(({ path }) => path)).toContain(SENDER)
    expect(breaches(Object.keys(SOCKET_BODIES), JSON.parse(file!.text) as Document, sources)).toEqual([])
  })

  test('an event that it lacks, one that nobody sends, a bad example and another way to send are found', () => {
    const position = { type: 'object', properties: { lat: { type: 'number' } } }
    const document: Document = {
      channels: { merchant: { messages: { handshake: {}, moved: {}, gone: {} } } },
      components: {
        messages: { moved: { payload: { $ref: '#/components/schemas/P' }, examples: [{ payload: { lat: 'x' } }] } },
        schemas: { P: position },
      },
    }
    const sources = [{ path: 'gateway/src/a.ts', text: "io.to(room).emit('moved', body)" }]
    expect(breaches(['moved', 'seen'], document, sources)).toEqual([
      'seen is on no channel',
      'moved has an example that its schema refuses',
      'seen has no example',
      'gone is never sent',
      'gateway/src/a.ts sends past gateway/src/realtime/emit.ts',
    ])
  })
})
