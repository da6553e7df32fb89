import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'

const root = resolve(import.meta.dirname, '../..')
const document: unknown = JSON.parse(readFileSync(join(root, 'gateway/openapi.json'), 'utf8'))

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Everything in the description that is an object, but what stands in examples. */
function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return
  yield value
  for (const [name, inner] of Object.entries(value))
    if (name !== 'example' && name !== 'examples') yield* nodesOf(inner)
}

const nodes = [...nodesOf(document)]

test('nothing is described as null alone, for which generators of clients have no type', () => {
  const choices = new Set(nodes.flatMap(({ anyOf }) => (Array.isArray(anyOf) ? anyOf : [])))
  expect(choices.size).toBeGreaterThan(100)
  expect(nodes.filter((node) => node['type'] === 'null' && !choices.has(node))).toEqual([])
})

test('no map is one of an empty schema, of which generators of clients make a type without a name', () => {
  const maps = nodes.filter(({ additionalProperties: inner }) => inner !== undefined)
  expect(maps.length).toBeGreaterThan(10)
  const empty = maps.filter(({ additionalProperties: inner }) => isNode(inner) && Object.keys(inner).length === 0)
  expect(empty).toEqual([])
})
