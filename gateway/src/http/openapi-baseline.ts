export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema | false
  /** Of a list with a fixed number of values. */
  prefixItems?: readonly Schema[]
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  /** What counts where nothing is sent. */
  default?: unknown
}
export interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: Schema
}
export interface Body {
  required?: boolean
  content?: Readonly<Record<string, { schema: Schema }>>
  /** Names of headers that come with it. */
  headers?: readonly string[]
}
export interface Operation {
  /** Methods of clients are named so. */
  operationId?: string
  /** Any one of these lets a caller in: names of schemes that it presents together. */
  security?: ReadonlyArray<readonly string[]>
  parameters?: readonly Parameter[]
  requestBody?: Body
  responses: Readonly<Record<string, Body>>
}

/** What clients may rely on of an OpenAPI document: what is taken and what is sent, without a word about it. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  webhooks: Readonly<Record<string, { post: Operation }>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    /** How a credential is presented. */
    securitySchemes: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>
  }
}

/** An operation as OpenAPI has it. */
type Described = Omit<Operation, 'security' | 'responses'> & {
  security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  responses: Readonly<Record<string, Omit<Body, 'headers'> & { headers?: object }>>
}

/** Strips a document to that. Refusals all hold the one envelope of errors, and one that does not come is missed by nobody. */
export function baselineOf(document: object): Document {
  const { paths, webhooks, components } = document as {
    paths: Record<string, Record<string, Described>>
    webhooks: Record<string, { post: Described }>
    components: {
      schemas: Record<string, Schema>
      parameters: Record<string, Parameter>
      securitySchemes?: Record<string, Record<string, string>>
    }
  }
  const found = <T extends object>(one: T): T =>
    '$ref' in one ? (components.parameters[String(one.$ref).split('/').at(-1) ?? ''] as T) : one
  const operationOf = ({ operationId, security, parameters = [], requestBody, responses }: Described): Operation => ({
    ...(operationId !== undefined && { operationId }),
    ...(security && { security: security.map((schemes) => Object.keys(schemes).toSorted()) }),
    parameters: parameters.map(found).map(({ in: place, name, required, schema }) => ({
      in: place,
      name,
      ...(required && { required }),
      schema: bare(schema),
    })),
    ...(requestBody && { requestBody: bodyOf(requestBody) }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2') || status.startsWith('3'))
        .map(([status, { headers, ...reply }]) => [
          status,
          { ...bodyOf(reply), ...(headers && { headers: Object.keys(headers) }) },
        ]),
    ),
  })
  return {
    paths: mapped(paths, (methods) => mapped(methods, operationOf)),
    webhooks: mapped(webhooks, ({ post }) => ({ post: operationOf(post) })),
    components: {
      schemas: mapped(components.schemas, bare),
      securitySchemes: mapped(components.securitySchemes ?? {}, ({ type, in: place, name, scheme }) =>
        Object.fromEntries(Object.entries({ type, in: place, name, scheme }).filter(([, word]) => word !== undefined)),
      ),
    },
  }
}

/** One line an operation and one a schema, so that a release shows what it changes. */
export const baselineText = ({ paths, webhooks, components }: Document): string =>
  `{${[
    `"paths":${lines(paths)}`,
    `"webhooks":${lines(webhooks)}`,
    `"components":{"schemas":${lines(components.schemas)},\n"securitySchemes":${lines(components.securitySchemes)}}`,
  ].join(',\n')}}\n`

const lines = (record: object): string =>
  `{\n${Object.entries(record)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`

const mapped = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const bodyOf = ({ required, content }: Body): Body => ({
  ...(required && { required }),
  ...(content && { content: mapped(content, ({ schema }) => ({ schema: bare(schema) })) }),
})

/** Without descriptions and examples; in what is named by fields these are fields. */
function bare(schema: Schema): Schema {
  const { properties, items, prefixItems, anyOf, additionalProperties, ...rest } = schema
  for (const word of ['description', 'example', 'examples', 'title', 'deprecated', 'readOnly'])
    delete (rest as Record<string, unknown>)[word]
  return {
    ...rest,
    ...(properties && { properties: mapped(properties, bare) }),
    ...(items !== undefined && { items: items && bare(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(bare) }),
    ...(anyOf && { anyOf: anyOf.map(bare) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? bare(additionalProperties) : additionalProperties,
    }),
  }
}
