import { describe, expect, test } from '@jest/globals'
import { brokenPromises, promisesOf, promisesText, readPromises } from '../../gateway/src/http/openapi-promises.ts'
import { files } from './tree.ts'

const sample = {
  paths: {
    '/v1/orders': {
      post: {
        parameters: [{ $ref: '#/components/parameters/Key' }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NewOrder' } } } },
        responses: {
          201: {
            content: {
              'application/json': { schema: { properties: { order: { $ref: '#/components/schemas/Order' } } } },
            },
          },
          400: { description: 'refused' },
        },
      },
    },
  },
  webhooks: {},
  components: {
    parameters: { Key: { in: 'header', name: 'Idempotency-Key' } },
    schemas: {
      NewOrder: { properties: { source: {}, items: { items: { properties: { name: {} } } } }, required: ['source'] },
      Order: { properties: { id: {}, of: { anyOf: [{ $ref: '#/components/schemas/Order' }, { type: 'null' }] } } },
    },
  },
}
const changed = (change: (copy: typeof sample) => void) => {
  const copy = structuredClone(sample)
  change(copy)
  return brokenPromises(promisesOf(sample), promisesOf(copy))
}

describe('what clients of a release rely on', () => {
  test('is there still: no operation, parameter or field is removed, and nothing more is demanded', async () => {
    const [released] = await files('gateway/openapi.released.txt')
    const [openapi] = await files('gateway/openapi.json')
    expect(brokenPromises(readPromises(released!.text), promisesOf(JSON.parse(openapi!.text) as object))).toEqual([])
  })

  test('is read from its text as it was written', () => {
    expect(readPromises(promisesText(promisesOf(sample)))).toEqual(promisesOf(sample))
  })

  test('is missed where it is removed or renamed, at any depth', () => {
    expect(changed(({ components }) => Object.assign(components.parameters.Key, { name: 'Key' }))).toEqual([
      'POST /v1/orders takes has no header.Idempotency-Key any more',
    ])
    expect(changed(({ components }) => Object.assign(components.schemas.NewOrder.properties, { items: {} }))).toEqual([
      'POST /v1/orders body has no items[].name any more',
    ])
    expect(changed(({ components }) => Object.assign(components.schemas.Order, { properties: { id: {} } }))).toEqual([
      'POST /v1/orders 201 has no order.of any more',
    ])
    expect(changed(({ paths }) => Object.assign(paths, { '/v1/orders': {} }))).toContain('POST /v1/orders body is gone')
  })

  test('is missed where a caller must send what it needed not; an addition breaks nothing', () => {
    expect(changed(({ components }) => components.schemas.NewOrder.required.push('items'))).toEqual([
      'POST /v1/orders requires items, which it did not',
    ])
    expect(changed(({ components }) => Object.assign(components.schemas.Order.properties, { status: {} }))).toEqual([])
  })
})
