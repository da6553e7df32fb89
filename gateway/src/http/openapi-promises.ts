type Json = Readonly<Record<string, unknown>>

interface Schema {
  $ref?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}
interface Parameter {
  $ref?: string
  in?: string
  name?: string
  required?: boolean
}
interface Body {
  $ref?: string
  required?: boolean
  content?: Readonly<Record<string, { schema?: Schema }>>
}
interface Operation {
  parameters?: readonly Parameter[]
  requestBody?: Body
  responses?: Readonly<Record<string, Body>>
}

/** Parts of operations, `POST /v1/orders body`, with the names that each promises. */
export type Promises = ReadonlyMap<string, ReadonlySet<string>>

/** What a part is called that grows no further: every name there is a demand upon callers. */
const DEMANDS = 'requires'

/** What clients may rely on in an OpenAPI document: parameters, fields and successful replies of each operation and webhook. */
export function promisesOf(document: object): Promises {
  const { paths, webhooks } = document as Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>
  const resolve = resolverOf(document as Json)
  const promises = new Map<string, ReadonlySet<string>>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      for (const [part, names] of partsOf(operation, resolve))
        promises.set(`${method.toUpperCase()} ${path} ${part}`, new Set(names))
  // What a webhook requires is what we always send: more of it demands nothing.
  for (const [event, { post }] of Object.entries(webhooks))
    for (const [part, names] of post ? partsOf(post, resolve) : [])
      if (part !== DEMANDS) promises.set(`webhook ${event} ${part}`, new Set(names))
  return promises
}

/** What was promised and is not kept, and what callers must send now and needed not. */
export function brokenPromises(released: Promises, now: Promises): string[] {
  return [...released].flatMap(([part, names]) => {
    const present = now.get(part)
    if (!present) return [`${part} is gone`]
    if (part.endsWith(DEMANDS))
      return [...present].filter((name) => !names.has(name)).map((name) => `${part} ${name}, which it did not`)
    return [...names].filter((name) => !present.has(name)).map((name) => `${part} has no ${name} any more`)
  })
}

/** One line a part, in a fixed order. */
export const promisesText = (promises: Promises): string =>
  [...promises]
    .map(([part, names]) => `${[`${part}:`, ...[...names].sort()].join(' ')}\n`)
    .sort()
    .join('')

/** The promises of such a text. */
export const readPromises = (text: string): Promises =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [part = '', names = ''] = line.split(/:(?= |$)/)
        return [part, new Set(names.split(' ').filter((name) => name !== ''))]
      }),
  )

type Resolve = <T extends { $ref?: string }>(one: T) => T

const resolverOf =
  (document: Json): Resolve =>
  (one) => {
    const steps = one.$ref?.split('/').slice(1) ?? []
    return steps.reduce<unknown>((at, step) => (at as Json)[step], steps.length > 0 ? document : one) as typeof one
  }

function* partsOf(operation: Operation, resolve: Resolve): Generator<[part: string, names: string[]]> {
  const { parameters = [], requestBody, responses = {} } = operation
  const taken = parameters.map(resolve).map((one) => ({ ...one, name: `${one.in}.${one.name}` }))
  const body = schemasOf(requestBody && resolve(requestBody))
  yield ['takes', taken.map(({ name }) => name)]
  yield ['body', body.flatMap((schema) => fieldsOf(schema, resolve))]
  const demanded = body.flatMap((schema) => demandsOf(schema, resolve))
  yield [DEMANDS, [...taken.filter(({ required }) => required).map(({ name }) => name), ...demanded]]
  // Refusals all hold the one envelope of errors, and one that does not come any more is missed by no client.
  for (const [status, reply] of Object.entries(responses).filter(([one]) => one.startsWith('2')))
    yield [status, schemasOf(resolve(reply)).flatMap((schema) => fieldsOf(schema, resolve))]
}

const schemasOf = (body: Body | undefined): Schema[] =>
  Object.values(body?.content ?? {}).flatMap(({ schema }) => schema ?? [])

/** `standardized.items[].name`: the fields of a schema, at every depth; one inside itself once. */
function fieldsOf(schema: Schema, resolve: Resolve, parent = '', inside: readonly string[] = []): string[] {
  if (schema.$ref !== undefined && inside.includes(schema.$ref)) return []
  const within = schema.$ref === undefined ? inside : [...inside, schema.$ref]
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolve(schema)
  const own = Object.entries(properties).flatMap(([key, field]) => {
    const name = parent === '' ? key : `${parent}.${key}`
    return [name, ...fieldsOf(field, resolve, name, within)]
  })
  const elements = items ? fieldsOf(items, resolve, `${parent}[]`, within) : []
  return [
    ...own,
    ...elements,
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => fieldsOf(one, resolve, parent, within)),
  ]
}

/** The fields without which a body is refused, as far as they stand at its top or in objects that are required. */
function demandsOf(schema: Schema, resolve: Resolve, parent = ''): string[] {
  const { properties = {}, required = [] } = resolve(schema)
  return required.flatMap((key) => {
    const name = parent === '' ? key : `${parent}.${key}`
    return [name, ...(properties[key] ? demandsOf(properties[key], resolve, name) : [])]
  })
}
