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
  /** Where bodies are declared. */
  sources: readonly File[]
}

function breaches({ replies, sent, sources }: Tree): string[] {
  const nodes = Object.entries(replies).flatMap(([name, schema]) => nodesOf(schema, name))
  const judging = nodes.filter(({ schema }) => judges(schema)).map(({ at }) => `${at} judges what is sent`)
  const set = new Set(Object.entries(sent).flatMap(([name, body]) => setIn(replies[name]!, body)))
  const optional = nodes.filter(({ schema }) => isOptional(schema) && !set.has(schema))
  const unset = new Map(optional.map(({ schema, at }) => [schema, `${at} is set in no sample`]))
  const untyped = sources.filter(({ text }) => text.includes('Record<string, unknown>'))
  return [...judging, ...unset.values(), ...untyped.map(({ path }) => `${path} has an object of unknown fields`)]
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

/** The schema and all schemas inside of it, with the paths of what they describe. */
function nodesOf(schema: z.ZodType, at: string): Array<{ schema: z.ZodType; at: string }> {
  const definition = definitionOf(schema)
  const { shape = {}, element, valueType, innerType, out } = definition
  const inside = [innerType, out, ...membersOf(definition)].filter((part) => part !== undefined)
  const items = [element, valueType].filter((part) => part !== undefined)
  return [
    { schema, at },
    ...Object.entries(shape).flatMap(([key, part]) => nodesOf(part, `${at}.${key}`)),
    ...items.flatMap((part) => nodesOf(part, `${at}[]`)),
    ...inside.flatMap((part) => nodesOf(part, at)),
  ]
}

/** A stored value that is refused would be a failure after its effect. */
function judges(schema: z.ZodType): boolean {
  const { type, check, checks = [] } = definitionOf(schema)
  return type === 'enum' || (check !== undefined && type !== 'custom') || checks.length > 0
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
    sent: Object.fromEntries(await Promise.all(served.map((route) => sentBody(route)))),
    sources: await files('gateway/src/bodies/*.ts', 'libs/public-bodies/src/*.ts'),
  }
}

describe('bodies', () => {
  test('describe what is sent and do not judge it, and every field of theirs is set in a sample', async () => {
    const tree = await ourTree()
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
      sources: [{ path: 'bodies/bad.ts', text: 'const view = (): Record<string, unknown> => ({})' }],
    }
    expect(breaches(sample)).toEqual([
      'getBad 200.id judges what is sent',
      'getBad 200.kind judges what is sent',
      'getBad 200.rows[].name judges what is sent',
      'getBad 200.kind is set in no sample',
      'getBad 200.rows[].note is set in no sample',
      'bodies/bad.ts has an object of unknown fields',
    ])
  })
})
