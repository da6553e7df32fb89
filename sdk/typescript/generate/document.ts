import { readFileSync } from 'node:fs'
import type { Schema } from './schema-type.ts'

export interface Parameter {
  in: 'path' | 'query' | 'header' | 'cookie'
  name: string
  required?: boolean
  description?: string
  schema: Schema
}
interface Body {
  required?: boolean
  content?: Record<string, { schema: Schema }>
}
export interface Operation {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  deprecated?: boolean
  security?: Array<Record<string, string[]>>
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body & { $ref?: string }>
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Body> }
}

/** openapi.json with the references of parameters and bodies followed; schemas keep theirs, for they are names of types. */
export function readDocument(path: string): Document {
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document
  const found = <T>(value: T): T => {
    const ref = (value as { $ref?: string } | undefined)?.$ref
    if (!ref) return value
    return ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T
  }
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      operation.parameters = operation.parameters?.map(found)
      operation.requestBody = found(operation.requestBody)
      for (const [status, reply] of Object.entries(operation.responses))
        if (status.startsWith('2')) operation.responses[status] = found(reply)
    }
  return document
}
