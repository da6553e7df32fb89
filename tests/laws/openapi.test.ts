import { describe, expect, test } from '@jest/globals'
import { baselineOf, baselineText, type Document } from '../../gateway/src/http/openapi-baseline.ts'
import { breakingChanges } from '../../gateway/src/http/openapi-breaking.ts'
import { sample } from './sample-api.ts'
import { files } from './tree.ts'

type Sample = typeof sample
const changed = (change: (copy: Sample) => unknown) => {
  const copy = structuredClone(sample)
  change(copy)
  return breakingChanges(baselineOf(sample), baselineOf(copy))
}
const taken = ({ components }: Sample) => components.schemas.NewOrder
const sent = ({ components }: Sample) => components.schemas.Order
const post = ({ paths }: Sample) => paths['/v1/orders'].post
const setTaken = (properties: object) => (copy: Sample) => Object.assign(taken(copy).properties, properties)
const setSent = (properties: object) => (copy: Sample) => Object.assign(sent(copy).properties, properties)
const BODY = 'POST /v1/orders body'
const REPLY = 'POST /v1/orders 201'
const EVENT = 'webhook order.created'

describe('what clients of a release rely on', () => {
  test('is there still', async () => {
    const [baseline] = await files('gateway/openapi.baseline.json')
    const [openapi] = await files('gateway/openapi.json')
    const now = baselineOf(JSON.parse(openapi!.text) as object)
    expect(breakingChanges(JSON.parse(baseline!.text) as Document, now)).toEqual([])
  })

  test('is read from its text as it was written', () => {
    expect(JSON.parse(baselineText(baselineOf(sample)))).toEqual(baselineOf(sample))
  })

  test.each<[string, (copy: Sample) => unknown, string[]]>([
    ['a path', (copy) => Object.assign(copy, { paths: {} }), ['POST /v1/orders is gone']],
    ['a method', ({ paths }) => Object.assign(paths, { '/v1/orders': {} }), ['POST /v1/orders is gone']],
    ['an event', (copy) => Object.assign(copy, { webhooks: {} }), ['webhook order.created is gone']],
    ['a parameter', (copy) => post(copy).parameters.shift(), ['POST /v1/orders header.Idempotency-Key is gone']],
    [
      'a reply',
      (copy) => Object.assign(post(copy), { responses: { 200: post(copy).responses['201'] } }),
      [`${REPLY} is gone`],
    ],
    ['a field that is taken', (copy) => delete taken(copy).properties['weight'], [`${BODY}.weight is gone`]],
    [
      'a field that is sent',
      (copy) => delete sent(copy).properties['of'],
      [`${REPLY}.order.of is gone`, `${EVENT}.of is gone`],
    ],
    [
      'a field within a list',
      setTaken({ items: { type: 'array', items: { type: 'object', properties: {} } } }),
      [`${BODY}.items[].name is gone`],
    ],
    [
      'a word that is taken',
      setTaken({ source: { type: 'string', enum: ['api'] } }),
      [`${BODY}.source is never "shop" any more`],
    ],
    [
      'a word that is sent',
      setSent({ status: { type: 'string', const: 'done' } }),
      [`${REPLY}.order.status is never "pending" any more`, `${EVENT}.status is never "pending" any more`],
    ],
    [
      'words without a list get one',
      setTaken({ weight: { type: 'number', enum: [1, 2] } }),
      [`${BODY}.weight is one of a few words, which it was not`],
    ],
    [
      'a field that is required now',
      (copy) => taken(copy).required.push('weight'),
      [`${BODY}.weight is required, which it was not`],
    ],
    [
      'a new field that is required',
      (copy) => taken(setTaken({ phone: { type: 'string' } })(copy) && copy).required.push('phone'),
      [`${BODY}.phone is required, which it was not`],
    ],
    [
      'a parameter that is required now',
      ({ components }) => Object.assign(components.parameters.Key, { required: true }),
      ['POST /v1/orders header.Idempotency-Key is required, which it was not'],
    ],
    [
      'a new parameter that is required',
      (copy) => post(copy).parameters.push({ in: 'query', name: 'q', required: true, schema: {} } as never),
      ['POST /v1/orders query.q is required, which it was not'],
    ],
    [
      'a body that is required now',
      (copy) => (post(copy).requestBody.required = true),
      [`${BODY} is required, which it was not`],
    ],
    [
      'another media type',
      (copy) => Object.assign(post(copy).requestBody, { content: {} }),
      [`${BODY} is no application/json any more`],
    ],
    [
      'a field that is always sent may be missing',
      (copy) => Object.assign(sent(copy), { required: [] }),
      [`${REPLY}.order.id may be missing, which it never was`, `${EVENT}.id may be missing, which it never was`],
    ],
    ['another type', setTaken({ weight: { type: 'string' } }), [`${BODY}.weight is no number any more`]],
    ['a narrower type', setTaken({ weight: { type: 'integer' } }), [`${BODY}.weight is no number any more`]],
    ['null is refused', setTaken({ note: { type: 'string' } }), [`${BODY}.note is no null any more`]],
    [
      'null is sent',
      setSent({ id: { type: ['string', 'null'], format: 'uuid' } }),
      [`${REPLY}.order.id is also null now`, `${EVENT}.id is also null now`],
    ],
    [
      'a narrower bound',
      (copy) =>
        Object.assign(post(copy).parameters[1]!, {
          schema: { type: 'integer', minimum: 2, maximum: 100, default: 50 },
        }),
      ['POST /v1/orders query.limit has a narrower minimum', 'POST /v1/orders query.limit has a narrower maximum'],
    ],
    [
      'a narrower bound of one form of a value',
      setTaken({ note: { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 100 }] } }),
      [`${BODY}.note has a narrower maxLength`],
    ],
    ['a new bound', setTaken({ weight: { type: 'number', maximum: 9 } }), [`${BODY}.weight has a narrower maximum`]],
    [
      'another form',
      setTaken({
        items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } } },
      }),
      [`${BODY}.items[].name has another pattern`],
    ],
    [
      'fields that are not known are refused',
      (copy) => Object.assign(taken(copy), { additionalProperties: false }),
      [`${BODY} refuses fields that it does not know, which it did not`],
    ],
    ['a credential that opens it', (copy) => post(copy).security.shift(), ['POST /v1/orders is not for key any more']],
    [
      'a second credential beside the first',
      (copy) => Object.assign(post(copy), { security: [{ key: [], token: [] }] }),
      ['POST /v1/orders is not for key any more', 'POST /v1/orders is not for token any more'],
    ],
    [
      'the header of a credential',
      ({ components }) => (components.securitySchemes.key.name = 'X-Key'),
      ['the credential key is presented otherwise'],
    ],
    [
      'the name of an operation',
      (copy) => (post(copy).operationId = 'newOrder'),
      ['POST /v1/orders is no placeOrder any more'],
    ],
    [
      'a header of a reply',
      (copy) => Object.assign(post(copy).responses['201']!, { headers: {} }),
      [`${REPLY} bears no Location any more`],
    ],
    [
      'a header of an event',
      ({ webhooks }) => webhooks['order.created'].post.parameters.shift(),
      [`${EVENT} header.X-Service-Signature is gone`],
    ],
    [
      'a header of an event may be missing',
      ({ webhooks }) => (webhooks['order.created'].post.parameters[0]!.required = false),
      [`${EVENT} header.X-Service-Signature may be missing, which it never was`],
    ],
    [
      'a field of errors',
      ({ components }) => Object.assign(components.schemas.Error, { properties: {}, required: [] }),
      ['Error.error is gone'],
    ],
    [
      'another form that is sent',
      setSent({ id: { type: 'string' } }),
      [`${REPLY}.order.id has another format`, `${EVENT}.id has another format`],
    ],
    [
      'another default',
      (copy) => Object.assign(post(copy).parameters[1]!.schema!, { default: 20 }),
      ['POST /v1/orders query.limit has another default'],
    ],
    [
      'lists of anything are sent',
      setSent({ tags: { type: 'array' } }),
      [`${REPLY}.order.tags[] is also anything now`, `${EVENT}.tags[] is also anything now`],
    ],
    [
      'maps of anything are sent',
      setSent({ sums: { type: 'object' } }),
      [`${REPLY}.order.sums.* is also anything now`, `${EVENT}.sums.* is also anything now`],
    ],
    [
      'lists of anything are no more taken',
      setTaken({ codes: { type: 'array', items: { type: 'string' } } }),
      [`${BODY}.codes[] is no anything any more`],
    ],
    [
      'maps of anything are no more taken',
      setTaken({ meta: { type: 'object', additionalProperties: { type: 'string' } } }),
      [`${BODY}.meta.* is no anything any more`],
    ],
    [
      'another value at its place in a list',
      setSent({ point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] } }),
      [`${REPLY}.order.point[1] is also string now`, `${EVENT}.point[1] is also string now`],
    ],
    [
      'a list of more values than it had',
      setSent({ point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }, { type: 'number' }] } }),
      [`${REPLY}.order.point has another prefixItems`, `${EVENT}.point has another prefixItems`],
    ],
    [
      'a width of numbers that not all of those taken have',
      setTaken({ weight: { type: 'number', format: 'float' } }),
      [`${BODY}.weight has another format`],
    ],
    [
      'whole numbers are narrower than they were said to be',
      (copy) =>
        Object.assign(post(copy).parameters[1]!, {
          schema: { type: 'integer', minimum: 1, maximum: 200, default: 50, format: 'int32' },
        }),
      ['POST /v1/orders query.limit has another format'],
    ],
    [
      'a word that this check does not understand',
      setTaken({ weight: { type: 'number', multipleOf: 5 }, note: { allOf: [{ type: 'string' }] } }),
      [`${BODY}.note has another allOf`, `${BODY}.note has another allOf`, `${BODY}.weight has another multipleOf`],
    ],
    [
      'a word beside a union',
      (copy) =>
        setTaken({ note: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }], not: { const: '' } } })(copy),
      [`${BODY}.note has another not`, `${BODY}.note has another not`],
    ],
  ])('is missed: %s', (_what, change, changes) => {
    expect(changed(change)).toEqual(changes)
  })

  test.each<[string, (copy: Sample) => unknown]>([
    ['a field that may be sent to us', setTaken({ phone: { type: 'string' } })],
    ['a field that we send', setSent({ price: { type: 'integer' } })],
    ['a field that was kept free is', setSent({ rating: { type: ['number', 'null'] } })],
    ['a word that we take', setTaken({ source: { type: 'string', enum: ['api', 'shop', 'mail'] } })],
    ['a wider bound', setTaken({ note: { anyOf: [{ type: 'string', maxLength: 900 }, { type: 'null' }] } })],
    ['a wider type', setTaken({ weight: { anyOf: [{ type: 'number' }, { type: 'string' }] } })],
    ['a narrower value that we send', setSent({ of: { $ref: '#/components/schemas/Order' } })],
    [
      'a reply, a refusal less and other words about it',
      (copy) => Object.assign(post(copy), { summary: 'x', responses: { 200: {}, 201: post(copy).responses['201'] } }),
    ],
    ['a path and an event', (copy) => Object.assign(copy.paths, { '/v1/more': copy.paths['/v1/orders'] })],
    ['a parameter', (copy) => post(copy).parameters.push({ in: 'query', name: 'q', schema: {} } as never)],
    [
      'the width of values in a list',
      setSent({
        point: {
          type: 'array',
          prefixItems: [
            { type: 'number', format: 'double' },
            { type: 'number', format: 'double' },
          ],
        },
      }),
    ],
    ['the width that numbers had before', setTaken({ weight: { type: 'number', format: 'double' } })],
    [
      'the width that whole numbers had before',
      (copy) =>
        Object.assign(post(copy).parameters[1]!, {
          schema: { type: 'integer', minimum: 1, maximum: 200, default: 50, format: 'int64' },
        }),
    ],
    ['a credential', (copy) => post(copy).security.push({ another: [] })],
    ['nobody has to show a credential', (copy) => Object.assign(post(copy), { security: [] })],
    ['a map takes more', setTaken({ meta: { type: 'object' }, codes: { type: 'array', items: {} } })],
  ])('is not: more of it breaks nothing: %s', (_what, change) => {
    expect(changed(change)).toEqual([])
  })
})
