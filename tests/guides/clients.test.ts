import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { PARTS, TWINS } from '../clients/options.ts'
import { isNode, nodesOf } from '../laws/nodes.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/guides/clients.md'), 'utf8')
const document: unknown = JSON.parse(readFileSync(join(root, 'gateway/openapi.json'), 'utf8'))

describe('the guide to clients of other languages', () => {
  test.each([
    ['python', 'place_order.py'],
    ['go', 'place_order.go'],
  ])('shows the program in %s that is run against a mesh', (language, file) => {
    const [, shown] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page) ?? []
    expect(shown).toBe(readFileSync(join(root, 'tests/clients', file), 'utf8'))
  })

  test('names every pair of fields that a language with one case cannot tell apart, and no other', () => {
    const pairs = new Set<string>()
    for (const { properties } of nodesOf(document)) {
      if (!isNode(properties)) continue
      const same = Map.groupBy(Object.keys(properties), (name) => name.replaceAll('_', '').toLowerCase())
      for (const [, ...others] of same.values())
        for (const other of others) pairs.add(`${other}=${other.charAt(0).toUpperCase()}${other.slice(1)}Twin`)
    }
    expect([...pairs].toSorted()).toEqual(TWINS.toSorted())
  })

  test('shows the options that the clients are made with', () => {
    expect(page).toContain(`--name-mappings ${TWINS.join(',')}`)
    expect(page).toContain(`--global-property ${PARTS}`)
  })
})
