/** What a JSON Schema of openapi.json may hold that a type can tell. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: unknown
}

/** The TypeScript type of a schema. Names of components are types of the same name. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(typeOf))
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return union(types.map((type) => simple(type, schema)))
}

/** The last part of a reference: `#/components/schemas/Order` is `Order`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A comment above a member, or nothing. */
export function docs(text: string | undefined): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '* /').trim().split('\n')
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function simple(type: string | undefined, schema: Schema): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return type
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
      return `Array<${typeOf(schema.items ?? {})}>`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${docs(meaning(schema))}${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (additionalProperties)
    members.push(
      `[name: string]: ${members.length > 0 || additionalProperties === true ? 'unknown' : typeOf(additionalProperties)}`,
    )
  return members.length > 0 ? `{\n${members.join('\n')}\n}` : 'Record<string, unknown>'
}

/** What any whole number of JavaScript keeps is no limit of this one. */
const FITS = Number.MAX_SAFE_INTEGER

/** What a type cannot say, the limits of a value among it. */
function meaning(schema: Schema): string | undefined {
  const limits = [
    schema.minimum === undefined || schema.minimum === -FITS ? undefined : `At least ${schema.minimum}.`,
    schema.maximum === undefined || schema.maximum === FITS ? undefined : `At most ${schema.maximum}.`,
    schema.maxLength === undefined ? undefined : `At most ${schema.maxLength} characters.`,
    schema.default === undefined ? undefined : `${JSON.stringify(schema.default)} unless given.`,
  ].filter((limit) => limit !== undefined)
  const text = schema.description && /[\w)]$/.test(schema.description) ? `${schema.description}.` : schema.description
  return [text, ...limits].filter((part) => part !== undefined).join(' ') || undefined
}

const union = (types: string[]): string => [...new Set(types)].join(' | ')
