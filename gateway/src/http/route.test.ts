import { expect, test } from '@jest/globals'
import { fieldsOf, instant, orNull, required, words } from '@svc/public-bodies'
import * as z from 'zod'
import { publicly, reply, route } from './route.ts'

interface Thing {
  id: string
  kind: string
  note?: string | undefined
  made_at: string | undefined
  ended_at?: string | undefined
}

interface Answer {
  thing: Thing | undefined
}

const ask = async (): Promise<Answer> => ({ thing: { id: 'a', kind: 'b', made_at: 'now' } })

const thing = z.object(fieldsOf<Thing>()({ id: z.string(), note: orNull(z.string()), made_at: instant }))

const at = {
  method: 'GET',
  path: '/v1/things/{id}',
  operationId: 'getThing',
  tag: 'System',
  summary: 'Read a thing',
  auth: publicly(),
  errors: [],
} as const

// The compiler is the test: each @ts-expect-error is itself an error where the line below it compiles.
test('a route compiles only if what it answers is a reply that it declares', () => {
  const declares = <S extends z.ZodType>(schema: S) => ({ ...at, replies: { 200: z.object({ thing: schema }) } })
  const handlers = [
    route({ ...declares(thing), handle: async () => reply(200, { thing: required((await ask()).thing) }) }),
    // @ts-expect-error a status that is not declared
    route({ ...declares(thing), handle: async () => reply(201, { thing: required((await ask()).thing) }) }),
    // @ts-expect-error a message that may be absent
    route({ ...declares(thing), handle: async () => reply(200, { thing: (await ask()).thing }) }),
    route({
      ...declares(z.object({ id: z.string(), colour: z.string() })),
      // @ts-expect-error a field that the message lacks
      handle: async () => reply(200, { thing: required((await ask()).thing) }),
    }),
    route({
      ...declares(z.object({ id: z.number() })),
      // @ts-expect-error another type
      handle: async () => reply(200, { thing: required((await ask()).thing) }),
    }),
    route({
      ...declares(z.object({ ended_at: instant })),
      // @ts-expect-error "always" against "maybe"
      handle: async () => reply(200, { thing: required((await ask()).thing) }),
    }),
    route({
      ...declares(z.object({ kind: z.enum(['a', 'b']) })),
      // @ts-expect-error a list of words that the stored one may have left
      handle: async () => reply(200, { thing: required((await ask()).thing) }),
    }),
    route({
      ...declares(z.object({ kind: words('a', 'b') })),
      handle: async () => reply(200, { thing: required((await ask()).thing) }),
    }),
  ]
  // @ts-expect-error a misspelt key, which would always be null
  expect(fieldsOf<Thing>()({ noet: orNull(z.string()) })).toBeDefined()
  expect(handlers).toHaveLength(8)
})
