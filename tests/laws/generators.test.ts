import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'
import { isNode, type Node, nodesOf } from './nodes.ts'

const root = resolve(import.meta.dirname, '../..')
const document: unknown = JSON.parse(readFileSync(join(root, 'gateway/openapi.json'), 'utf8'))

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

test('of every number that 32 bits may not hold it is said, since generators of clients take 32 bits for granted', () => {
  const typesOf = ({ type }: Node) => [type].flat().filter((one) => one !== 'null')
  const decimals = nodes.filter((node) => String(typesOf(node)) === 'number')
  expect(decimals.length).toBeGreaterThan(50)
  expect(decimals.filter(({ format }) => format !== 'double')).toEqual([])
  const unbounded = nodes.filter((node) => String(typesOf(node)) === 'integer' && node['maximum'] === undefined)
  expect(unbounded.length).toBeGreaterThan(100)
  expect(unbounded.filter(({ format }) => format !== 'int64')).toEqual([])
  const wide = nodes.filter(({ maximum }) => maximum === Number.MAX_SAFE_INTEGER)
  expect(wide.length).toBeGreaterThan(10)
  expect(wide.filter(({ format }) => format !== 'int64')).toEqual([])
})
