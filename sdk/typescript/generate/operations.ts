import type { Document, Operation, Parameter } from './document.ts'
import { docs, propertyName, type Schema, typeOf } from './schema-type.ts'

/** Operations of operators, of providers' hooks and of the machine room: not what an integrator calls. */
const isForIntegrators = (path: string): boolean => /^\/v1\/(?!admin\/)/.test(path)

/** One call of the client, and what its types are made of. */
interface Call {
  name: string
  method: string
  path: string
  operation: Operation
  pathNames: string[]
  query: Parameter[]
  body?: Schema
  isBodyRequired: boolean
  isMultipart: boolean
  reply?: Schema
  takesKey: boolean
  /** The list of a page, and the parameter that asks for the next one. */
  page?: { items: string; by: 'cursor' | 'after' | 'offset' }
}

export function callsOf(document: Document): Call[] {
  return Object.entries(document.paths)
    .filter(([path]) => isForIntegrators(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => callOf(document, method, path, operation) ?? []),
    )
}

function callOf(document: Document, method: string, path: string, operation: Operation): Call | undefined {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  // A page that a browser is sent away to is no call.
  if (!success) return undefined
  const parameters = operation.parameters ?? []
  const json = operation.requestBody?.content?.['application/json']?.schema
  const multipart = operation.requestBody?.content?.['multipart/form-data']?.schema
  const reply = success.content?.['application/json']?.schema
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    operation,
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    query,
    body: json ?? multipart,
    isBodyRequired: operation.requestBody?.required === true,
    isMultipart: multipart !== undefined,
    reply,
    takesKey: parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
    page: method === 'get' && reply ? pageOf(resolve(document, reply), query) : undefined,
  }
}

function pageOf(reply: Schema, query: Parameter[]): Call['page'] {
  const by = (['cursor', 'after', 'offset'] as const).find((one) => query.some(({ name }) => name === one))
  const lists = Object.entries(reply.properties ?? {}).filter(([, { type }]) => type === 'array')
  return by && lists.length === 1 ? { items: lists[0]![0], by } : undefined
}

const resolve = (document: Document, schema: Schema): Schema =>
  schema.$ref ? document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]! : schema

/** The types of inputs and answers, and an interface with one method for each call. */
export function operationTypes(document: Document, calls: Call[]): string {
  const inline = calls.flatMap((call) => {
    const base = call.name[0]!.toUpperCase() + call.name.slice(1)
    return [
      call.query.length > 0 ? `export interface ${base}Query ${queryType(call)}` : '',
      call.body && !call.isMultipart ? named(`${base}Body`, call.body) : '',
      call.reply ? named(`${base}Reply`, call.reply) : '',
    ].filter((text) => text !== '')
  })
  const methods = calls.map(
    (call) => `${docs(textOf(call))}${call.name}(${argumentsOf(call)}): ${returned(document, call)}`,
  )
  return `${inline.join('\n\n')}\n\n/** One method for each call, by the name that the API reference gives it. */\nexport interface Operations {\n${methods.join('\n\n')}\n}\n`
}

/** Every call as the client makes it. */
export function operationTable(calls: Call[]): string {
  const lines = calls.map(({ name, method, path, query, body, takesKey, page }) => {
    const shape = {
      method,
      path,
      ...(body ? { input: 'body' } : query.length > 0 ? { input: 'query' } : {}),
      ...(takesKey ? { key: true } : {}),
      ...(page ? { page } : {}),
    }
    return `${name}: ${JSON.stringify(shape)},`
  })
  return `export const OPERATIONS = {\n${lines.join('\n')}\n} satisfies Record<string, OperationShape>\n`
}

const named = (name: string, schema: Schema): string => `export type ${name} = ${typeOf(schema)}`

const queryType = ({ query }: Call): string =>
  `{\n${query
    .map(
      ({ name, required, description, schema }) =>
        `${docs(description ?? schema.description)}${propertyName(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
    )
    .join('\n')}\n}`

function argumentsOf({ name, pathNames, query, body, isBodyRequired, isMultipart }: Call): string {
  const base = name[0]!.toUpperCase() + name.slice(1)
  const input = body
    ? [`body${isBodyRequired ? '' : '?'}: ${isMultipart ? 'FormData' : `${base}Body`}`]
    : query.length > 0
      ? [`query${query.some(({ required }) => required) ? '' : '?'}: ${base}Query`]
      : []
  return [...pathNames.map((one) => `${one}: string`), ...input, 'options?: CallOptions'].join(', ')
}

function returned(document: Document, { name, reply, page }: Call): string {
  const type = reply ? `${name[0]!.toUpperCase()}${name.slice(1)}Reply` : 'void'
  if (!page) return `Promise<${type}>`
  return `Pages<${type}, ${typeOf(resolve(document, reply!).properties![page.items]!.items!)}>`
}

const textOf = ({ operation, method, path }: Call): string =>
  [
    `${operation.summary ?? operation.operationId}. \`${method} ${path}\``,
    operation.description,
    operation.deprecated ? '@deprecated' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
