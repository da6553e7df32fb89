import { describe, expect, test } from '@jest/globals'
import { isDescribed } from '../../gateway/src/http/openapi-descriptions.ts'
import { MEANINGS, OF_TAGS } from '../../gateway/src/meanings/index.ts'
import { files } from './tree.ts'

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  [name: string]: unknown
}
interface Parameter {
  in?: string
  name?: string
  description?: string
  schema?: Schema
}
interface Operation {
  operationId: string
  summary?: string
  description?: string
  parameters?: Parameter[]
}
interface Document {
  tags: Array<{ name: string; description?: string }>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

interface Named {
  at: string
  name: string
  description: string | undefined
  isClear: boolean
}

/** Every property below it, wherever it is nested. */
function propertiesIn(part: unknown, at: string, schemas: Record<string, Schema>): Named[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {} } = part as Schema
  const own = Object.entries(properties).map(([name, schema]) => ({
    at: `${at}.${name}`,
    name,
    description: schema.description,
    isClear: isDescribed(schema, schemas),
  }))
  const inside = Object.entries(part).flatMap(([key, value]) => {
    if (key === 'example' || key === 'examples') return []
    const parts = key === 'properties' ? Object.entries(properties) : [[key, value] as const]
    return parts.flatMap(([name, inner]) => propertiesIn(inner, `${at}.${name}`, schemas))
  })
  return [...own, ...inside]
}

function namedIn({ paths, components: { schemas, parameters: shared = {} } }: Document): Named[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const parameters = [...Object.values(shared), ...operations.flatMap(({ parameters: own = [] }) => own)]
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => propertiesIn(schema, name, schemas)),
    ...operations.flatMap((operation) => propertiesIn(operation, operation.operationId, schemas)),
    ...parameters.flatMap(({ in: place, name = '', description, schema }) => {
      if (!name) return []
      const at = place === 'query' ? `?${name}` : place === 'path' ? `{${name}}` : `${name}:`
      return [{ at, name: at, description, isClear: description !== undefined || isDescribed(schema, schemas) }]
    }),
  ]
}

const undescribed = (document: Document): string[] => [
  ...new Set([
    ...namedIn(document)
      .filter(({ isClear }) => !isClear)
      .map(({ at }) => at),
    ...document.tags.filter(({ description }) => !description).map(({ name }) => `tag ${name}`),
  ]),
]

/** Meanings that no name of the document has. */
const unused = (document: Document, meanings: Readonly<Record<string, string>>): string[] => {
  const said = new Set(namedIn(document).map(({ name, description }) => `${name} ${description}`))
  return Object.entries(meanings)
    .filter(([key, meaning]) => !said.has(`${key.slice(key.indexOf('.') + 1)} ${meaning}`))
    .map(([key]) => key)
}

const read = async (): Promise<Document> => {
  const [openapi] = await files('gateway/openapi.json')
  return JSON.parse(openapi!.text) as Document
}

describe('the description of the API', () => {
  test('says of every property, parameter and tag what it is: gateway/src/meanings, or the schema itself', async () => {
    const document = await read()
    expect(namedIn(document).length).toBeGreaterThan(1_900)
    expect(undescribed(document)).toEqual([])
  })

  test('has every meaning and tag that is written down', async () => {
    const document = await read()
    expect(unused(document, MEANINGS)).toEqual([])
    const tags = document.tags.map(({ name }) => name)
    expect(Object.keys(OF_TAGS).filter((name) => !tags.includes(name))).toEqual([])
  })

  test('has a summary of every operation, and says more of it than that', async () => {
    const operations = Object.values((await read()).paths).flatMap((methods) => Object.values(methods))
    expect(operations.filter(({ summary }) => !summary)).toEqual([])
    const bare = operations.filter(({ description = '' }) => /^((Scope|Permission): .*)?$/.test(description))
    expect(bare.map(({ operationId }) => operationId)).toEqual([])
  })

  test('what is not described, and a meaning that nothing has, are found', () => {
    const document: Document = {
      tags: [{ name: 'Orders' }],
      paths: {
        '/v1/orders': {
          get: { operationId: 'listOrders', parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer' } }] },
        },
      },
      components: {
        schemas: {
          Order: { properties: { id: { description: 'Its id' }, rows: { items: { properties: { at: {} } } } } },
        },
      },
    }
    expect(undescribed(document)).toEqual(['Order.rows', 'Order.rows.items.at', '?limit', 'tag Orders'])
    expect(unused(document, { id: 'Its id', 'Order.id': 'Another', '?limit': 'Most' })).toEqual(['Order.id', '?limit'])
  })
})
