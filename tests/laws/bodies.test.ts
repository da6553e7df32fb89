import { describe, expect, test } from '@jest/globals'
import { instant, orNull, rawJson, shownAs, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { routes } from '../../gateway/src/routes/index.ts'
import { sentBody } from '../../gateway/src/samples/sent-bodies.ts'
import { type File, files } from './tree.ts'

interface Tree {
  /** Schemas of what is sent, by operation and status. */
  replies: Readonly<Record<string, z.ZodType>>
  /** What routes send for the samples of the gateway's tests, under the same names. */
  sent: Readonly<Record<string, unknown>>
  /** Schemas of what is taken, by operation. */
  taken: Readonly<Record<string, z.ZodType>>
  /** Where bodies are declared. */
  sources: readonly File[]
}

function breaches({ replies, sent, taken, sources }: Tree): string[] {
  const nodes = Object.entries(replies).flatMap(([name, schema]) => nodesOf(schema, name))
  const judging = nodes.filter(({ schema }) => judges(schema)).map(({ at }) => `${at} judges what is sent`)
  const set = new Set(Object.entries(sent).flatMap(([name, body]) => setIn(replies[name]!, body)))
  const optional = nodes.filter(({ schema }) => isOptional(schema) && !set.has(schema))
  const unset = new Map(optional.map(({ schema, at }) => [schema, `${at} is set in no sample`]))
  const given = Object.entries(taken).flatMap(([name, schema]) => nodesOf(schema, name, allMembersOf))
  const endless = given.filter(({ schema }) => isEndless(schema)).map(({ at }) => `${at} is a list without a maximum`)
  const untyped = sources.filter(({ text }) => text.includes('Record<string, unknown>'))
  return [
    ...judging,
    ...unset.values(),
    ...endless,
    ...untyped.map(({ path }) => `${path} has an object of unknown fields`),
  ]
}

interface Definition {
  type: string
  check?: string
  checks?: unknown[]
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
}

const definitionOf = (schema: z.ZodType) => (schema as { _zod: { def: unknown } })._zod.def as Definition

/** Of a union that stands for what is shown instead, only the first member is ever sent. */
function membersOf({ options = [] }: Definition): z.ZodType[] {
  const isShown = options[0] !== undefined && ['string', 'custom'].includes(definitionOf(options[0]).type)
  return isShown ? options.slice(0, 1) : options
}

const allMembersOf = ({ options = [] }: Definition): z.ZodType[] => options

/** The schema and all schemas inside of it, with the paths of what they describe; of what is changed on its way the end. */
function nodesOf(schema: z.ZodType, at: string, members = membersOf): Array<{ schema: z.ZodType; at: string }> {
  const definition = definitionOf(schema)
  const { shape = {}, element, valueType, innerType, out } = definition
  const inside = [innerType, out, ...members(definition)].filter((part) => part !== undefined)
  const items = [element, valueType].filter((part) => part !== undefined)
  return [
    { schema, at },
    ...Object.entries(shape).flatMap(([key, part]) => nodesOf(part, `${at}.${key}`, members)),
    ...items.flatMap((part) => nodesOf(part, `${at}[]`, members)),
    ...inside.flatMap((part) => nodesOf(part, at, members)),
  ]
}

/** A stored value that is refused would be a failure after its effect. */
function judges(schema: z.ZodType): boolean {
  const { type, check, checks = [] } = definitionOf(schema)
  return type === 'enum' || (check !== undefined && type !== 'custom') || checks.length > 0
}

/** What a handler is given is kept, or walked through again and again. */
function isEndless(schema: z.ZodType): boolean {
  const { type, checks = [] } = definitionOf(schema)
  return type === 'array' && !(checks as z.core.$ZodCheck[]).some(({ _zod }) => _zod.def.check === 'max_length')
}

const isOptional = (schema: z.ZodType) => ['optional', 'nullable'].includes(definitionOf(schema).type)

/** The optional fields that the body holds. */
function setIn(schema: z.ZodType, body: unknown): z.ZodType[] {
  const definition = definitionOf(schema)
  const { shape = {}, element, innerType, out } = definition
  if (isOptional(schema)) return body === undefined || body === null ? [] : [schema, ...setIn(innerType!, body)]
  if (element) return (body as unknown[]).flatMap((item) => setIn(element, item))
  const member = membersOf(definition).find((option) => option.safeParse(body).success)
  return [
    ...Object.entries(shape).flatMap(([key, part]) => setIn(part, (body as Record<string, unknown>)[key])),
    ...[out, member].flatMap((part) => (part ? setIn(part, body) : [])),
  ]
}

async function ourTree(): Promise<Tree> {
  const served = routes.filter(({ replies }) => Object.keys(replies).length > 0)
  const declared = served.flatMap(({ operationId, replies }) =>
    Object.entries(replies).map(([status, schema]) => [`${operationId} ${status}`, schema] as const),
  )
  return {
    replies: Object.fromEntries(declared),
    taken: Object.fromEntries(routes.flatMap(({ operationId, body }) => (body ? [[operationId, body]] : []))),
    sent: Object.fromEntries(await Promise.all(served.map((route) => sentBody(route)))),
    sources: await files('gateway/src/bodies/*.ts', 'libs/public-bodies/src/*.ts'),
  }
}

describe('bodies', () => {
  test('describe what is sent and do not judge it, with a sample of each field; no list that is taken is endless', async () => {
    const tree = await ourTree()
    expect(Object.keys(tree.taken).length).toBeGreaterThan(60)
    expect(Object.keys(tree.sent).length).toBeGreaterThan(130)
    expect(breaches(tree)).toEqual([
      // No hook is one of an order yet.
      'endDeadLetter 200.dead_letter.order_id is set in no sample',
    ])
  })

  test('the law finds what breaks it', () => {
    const good = z.object({
      id: orNull(z.string()),
      at: instant,
      kind: words('a', 'b'),
      count: whole,
      scopes: z.array(shownAs(z.string(), z.enum(['x']))),
      record: rawJson(z.object({ name: z.string().max(3) })),
    })
    const bad = z.object({
      id: z.uuid(),
      kind: orNull(z.enum(['a'])),
      rows: z.array(z.object({ name: z.string().min(1), note: z.string().optional() })),
    })
    const sample: Tree = {
      replies: { 'getGood 200': good, 'getBad 200': bad },
      sent: { 'getGood 200': { id: 'x', scopes: [] }, 'getBad 200': { id: 'x', kind: null, rows: [{ name: 'n' }] } },
      taken: {
        putGood: z.object({
          few: z.array(z.string()).min(1).max(3),
          distinct: z
            .array(z.enum(['x']))
            .transform((list) => [...new Set(list)])
            .pipe(z.array(z.enum(['x'])).max(1)),
        }),
        putBad: z.object({ rows: z.array(z.object({ names: z.union([z.string(), z.array(z.string())]) })).nullish() }),
      },
      sources: [{ path: 'bodies/bad.ts', text: 'const view = (): Record<string, unknown> => ({})' }],
    }
    expect(breaches(sample)).toEqual([
      'getBad 200.id judges what is sent',
      'getBad 200.kind judges what is sent',
      'getBad 200.rows[].name judges what is sent',
      'getBad 200.kind is set in no sample',
      'getBad 200.rows[].note is set in no sample',
      'putBad.rows is a list without a maximum',
      'putBad.rows[].names is a list without a maximum',
      'bodies/bad.ts has an object of unknown fields',
    ])
  })
})
