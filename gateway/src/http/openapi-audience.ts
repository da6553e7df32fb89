import { type Audience, isFor, tagsFor } from './audiences.ts'

type Paths = Record<string, Record<string, { tags?: string[] }>>

interface Document {
  paths: Paths
  webhooks: object
  components: Record<string, Record<string, unknown>>
  tags: Array<{ name: string; description?: string }>
}

/** What of an OpenAPI document is for one audience, as a document of its own. Webhooks are for merchants. */
export function partFor(audience: Audience, document: object): object {
  const { components, webhooks, ...whole } = document as Document
  const paths: Paths = {}
  for (const [path, methods] of Object.entries(whole.paths)) {
    const own = Object.entries(methods).filter(([, { tags }]) => isFor(audience, tags))
    if (own.length > 0) paths[path] = Object.fromEntries(own)
  }
  const meanings = Object.fromEntries(whole.tags.map(({ name, description = '' }) => [name, description]))
  const part = { ...whole, ...tagsFor([audience], meanings), paths, ...(audience === 'merchant' && { webhooks }) }
  return { ...part, components: { ...reached(part, components), securitySchemes: components['securitySchemes'] } }
}

/** The components that a part refers to, and those that these refer to. */
function reached(part: object, components: Document['components']): Document['components'] {
  const kept: Document['components'] = {}
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.values(value)) look(inner)
    if (!('$ref' in value)) return
    const [, , kind = '', name = ''] = String(value.$ref).split('/')
    const names = (kept[kind] ??= {})
    if (name in names) return
    names[name] = components[kind]?.[name]
    look(names[name])
  }
  look(part)
  return kept
}
