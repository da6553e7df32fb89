import * as z from 'zod'
import { createSchema } from 'zod-openapi'
import { MERCHANT_EVENTS, SOCKET_BODIES, type SocketEvent, TRACKING_EVENTS } from '../bodies/realtime.ts'
import { describeSchemas, type Meanings } from '../http/openapi-descriptions.ts'
import { textOf } from '../http/openapi-text.ts'
import { REALTIME_PATH } from './path.ts'

const DESCRIPTION = `What the sockets of the API tell, live.

Connect with a client of socket.io 4 to \`${REALTIME_PATH}\`, namespace \`/\`, by WebSocket or by polling. The token goes into
\`auth\` of the handshake; it decides which channel the socket hears, and nothing that a client sends afterwards is read.
Messages may be lost with a connection: snapshots and the first status heal that. A token opens up to 20 sockets; a
socket whose token ends is closed. Outside of sockets the same is at \`/v1/me/realtime/rider-location\` and
\`/v1/tracking/{token}\`.`

const OCCASIONS: Record<SocketEvent, string> = {
  rider_location: 'A rider moved; at most once a second for each rider, and always its last position',
  rider_locations_snapshot: 'Where all riders are; as the socket joins, and every 30 seconds',
  rider_online_status: 'A rider went online or offline',
  tracking_status: 'How the order stands; as the socket joins, and whenever that changes',
  tracking_location: 'Where the rider of the order is; at most once a second',
}

const handshake = (field: string, description: string) => ({
  title: 'The auth of the handshake',
  payload: { type: 'object', properties: { [field]: { type: 'string', description } }, required: [field] },
})

/** What is told in place of letting a socket in. */
const REFUSAL = {
  title: 'The error of connect_error',
  summary: 'The socket is not let in, and its connection is closed',
  payload: {
    type: 'object',
    properties: {
      message: {
        type: 'string',
        enum: ['unauthorized', 'rate_limited'],
        description:
          '`unauthorized`: another token is needed. `rate_limited`: too many sockets or refusals; come again',
      },
    },
    required: ['message'],
  },
  examples: [{ payload: { message: 'unauthorized' } }],
}

interface Channel {
  description: string
  shows: object
  events: readonly SocketEvent[]
}

const CHANNELS: Record<'merchant' | 'tracking', Channel> = {
  merchant: {
    description: 'The riders of a merchant. A test token sees the sandbox rider alone, a live one the fleet.',
    shows: handshake(
      'merchant_access_token',
      'An access token of the merchant with `orders:read` or `riders:location`; no API key',
    ),
    events: MERCHANT_EVENTS,
  },
  tracking: {
    description: 'One order, for whoever has its tracking link.',
    shows: handshake('tracking_token', "The order's `tracking_token`"),
    events: TRACKING_EVENTS,
  },
}

/** The sockets as AsyncAPI 3, from the schemas by which they are sent, with a sample of each event. */
export function asyncApiText(samples: Readonly<Record<SocketEvent, object>>, meanings: Meanings): string {
  const { components: schemas } = createSchema(z.object(SOCKET_BODIES), { io: 'output', openapiVersion: '3.1.0' })
  describeSchemas(schemas as Record<string, object>, meanings)
  const channels = Object.entries(CHANNELS)
  return textOf({
    asyncapi: '3.0.0',
    info: { title: 'Delivery Dispatch sockets', version: '1', description: DESCRIPTION },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      channels.map(([name, { description, shows, events }]) => [
        name,
        { address: REALTIME_PATH, description, messages: { handshake: shows, ...referencesOf(events) } },
      ]),
    ),
    operations: Object.fromEntries(channels.flatMap(([name, { events }]) => operationsOf(name, events))),
    components: {
      messages: { ...messagesOf(samples), connect_error: REFUSAL },
      schemas,
    },
  })
}

const referencesOf = (events: readonly string[]) =>
  Object.fromEntries([...events, 'connect_error'].map((name) => [name, { $ref: `#/components/messages/${name}` }]))

/** As the server sees them: it receives the handshake and sends everything else. */
function operationsOf(channel: string, events: readonly string[]): Array<[string, object]> {
  const at = `#/channels/${channel}`
  const told = [...events, 'connect_error'].map((name) => ({ $ref: `${at}/messages/${name}` }))
  return [
    [
      `${channel}.connect`,
      { action: 'receive', channel: { $ref: at }, messages: [{ $ref: `${at}/messages/handshake` }] },
    ],
    [`${channel}.events`, { action: 'send', channel: { $ref: at }, messages: told }],
  ]
}

function messagesOf(samples: Readonly<Record<SocketEvent, object>>): Record<string, object> {
  const names = Object.keys(SOCKET_BODIES) as SocketEvent[]
  return Object.fromEntries(
    names.map((name) => {
      const payload = { $ref: `#/components/schemas/${SOCKET_BODIES[name].meta()?.id}` }
      return [name, { name, summary: OCCASIONS[name], payload, examples: [{ payload: samples[name] }] }]
    }),
  )
}
