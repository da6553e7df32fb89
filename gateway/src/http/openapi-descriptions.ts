interface Schema {
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
interface Parameter {
  in?: string
  name?: string
  description?: string
  schema?: Schema
}
interface Body {
  content?: Record<string, { schema?: Schema }>
}
interface Operation {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: Body
  responses?: Record<string, Body>
}
interface Document {
  paths?: Record<string, object>
  webhooks?: Record<string, object>
  components?: { schemas?: Readonly<Record<string, unknown>> }
}

/** What names mean, as `meanings/index.ts` writes them. */
export type Meanings = Readonly<Record<string, string>>

/** Says what its name means of every property and parameter that does not describe itself, nor by the component that it is. */
export function describeNames({ paths = {}, webhooks = {}, components = {} }: Document, meanings: Meanings): void {
  const schemas = (components.schemas ?? {}) as Record<string, Schema>
  describeSchemas(schemas, meanings)
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(
    (item) => Object.values(item) as Operation[],
  )
  for (const { operationId = '', parameters = [], requestBody, responses = {} } of operations) {
    for (const body of [requestBody, ...Object.values(responses)])
      for (const { schema } of Object.values(body?.content ?? {})) describe(schema, operationId, meanings, schemas)
    for (const parameter of parameters) {
      const meaning = meanings[spelt(parameter)]
      if (meaning && !isDescribed(parameter, schemas) && !isDescribed(parameter.schema, schemas))
        parameter.description = meaning
    }
  }
}

/** The same of components alone. */
export function describeSchemas(schemas: Record<string, Schema>, meanings: Meanings): void {
  for (const [name, schema] of Object.entries(schemas)) describe(schema, name, meanings, schemas)
}

/** As meanings name parameters. */
function spelt({ in: place, name = '' }: Parameter): string {
  if (place === 'query') return `?${name}`
  return place === 'path' ? `{${name}}` : `${name}:`
}

function describe(
  schema: Schema | undefined,
  owner: string,
  meanings: Meanings,
  schemas: Readonly<Record<string, Schema>>,
): void {
  if (!schema) return
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  for (const [name, property] of Object.entries(properties)) {
    const meaning = meanings[`${owner}.${name}`] ?? meanings[name]
    if (meaning !== undefined && !isDescribed(property, schemas)) property.description = meaning
    describe(property, owner, meanings, schemas)
  }
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  for (const part of [items, ...values, ...anyOf, ...oneOf, ...allOf]) describe(part, owner, meanings, schemas)
}

/** Whether a reader is told what it is: there, or by the component or the choice that it is. */
export function isDescribed(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): boolean {
  if (!schema) return false
  const { $ref, description, anyOf = [], oneOf = [], allOf = [] } = schema
  if (description !== undefined) return true
  if ($ref !== undefined && isDescribed(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], schemas)) return true
  return [...anyOf, ...oneOf, ...allOf].some((one) => isDescribed(one, schemas))
}
