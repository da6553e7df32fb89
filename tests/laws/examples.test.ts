import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import { files } from './tree.ts'

interface Media {
  schema?: object
  example?: unknown
  examples?: Record<string, { $ref?: string; value?: unknown }>
}
interface Body {
  $ref?: string
  content?: Record<string, Media>
}
interface Operation {
  operationId: string
  requestBody?: Body
  responses: Record<string, Body>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; examples: Record<string, { value: unknown }> }
}

/** What a third party signs is not ours to show. */
const SIGNED = '*/*'

/** Bodies that are taken, sent as a success or posted to a merchant, and show no example, or one that their schema refuses. */
function breaches({ paths, webhooks, components }: Document): string[] {
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods))
  const bodies = operations.flatMap(({ operationId, requestBody, responses }) => [
    [`${operationId} takes`, requestBody] as const,
    ...Object.entries(responses).flatMap(([status, body]) =>
      status.startsWith('2') ? [[`${operationId} ${status}`, body] as const] : [],
    ),
  ])
  return bodies.flatMap(([name, body]) =>
    Object.entries(body?.content ?? {}).flatMap(([type, media]) => {
      const shown = shownBy(media, components)
      if (shown.length === 0) return type === SIGNED ? [] : [`${name}: no example`]
      const schema = schemaOf(media, components)
      return shown.flatMap((value) => {
        const { error } = schema.safeParse(value)
        return (error?.issues ?? []).map(({ path, message }) => `${name}: ${path.join('.')}: ${message}`)
      })
    }),
  )
}

const shownBy = ({ example, examples = {} }: Media, components: Document['components']): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ $ref, value }) =>
    $ref === undefined ? value : components.examples[$ref.slice($ref.lastIndexOf('/') + 1)]?.value,
  ),
]

/** The schema by itself: what it names of the components, directly or by another, is below it. */
function schemaOf({ schema = {} }: Media, { schemas }: Document['components']): z.ZodType {
  const $defs: Record<string, object> = {}
  const visit = (part: object): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || name in $defs) continue
      $defs[name] = schemas[name]!
      visit($defs[name])
    }
  }
  visit(schema)
  const whole = JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/')
  return z.fromJSONSchema(JSON.parse(whole) as Parameters<typeof z.fromJSONSchema>[0])
}

describe('examples', () => {
  test('are there for every body that is taken or sent, and their schemas take them', async () => {
    const [openapi] = await files('gateway/openapi.json')
    const document = JSON.parse(openapi!.text) as Document
    expect(Object.keys(document.paths).length).toBeGreaterThan(150)
    expect(breaches(document)).toEqual([])
  })

  test('a body without one, and one that its schema refuses, are found', () => {
    const schema = {
      type: 'object',
      properties: { order: { $ref: '#/components/schemas/Order' } },
      required: ['order'],
    }
    const json = (media: Media) => ({ content: { 'application/json': { schema, ...media } } })
    const document: Document = {
      paths: {
        '/v1/orders': {
          post: {
            operationId: 'createOrder',
            requestBody: json({}),
            responses: {
              200: json({ examples: { example: { $ref: '#/components/examples/order' } } }),
              201: json({ example: { order: { id: 1 } } }),
              400: json({}),
            },
          },
        },
      },
      webhooks: { 'order.lost': { post: { operationId: 'on.order.lost', requestBody: json({}), responses: {} } } },
      components: {
        schemas: { Order: { type: 'object', properties: { id: { type: 'string' } } } },
        examples: { order: { value: { order: { id: '1' } } } },
      },
    }
    expect(breaches(document)).toEqual([
      'createOrder takes: no example',
      'createOrder 201: order.id: Invalid input: expected string, received number',
      'on.order.lost takes: no example',
    ])
  })
})
