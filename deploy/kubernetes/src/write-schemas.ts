// Takes the schemas of the kinds that the overlays use out of the OpenAPI description of Kubernetes, which its Go module
// holds, and makes them strict: a field that they do not name is a mistake.
//   go mod download -json k8s.io/kubernetes@v1.34.4   # prints Dir
//   node --conditions=source deploy/kubernetes/src/write-schemas.ts <Dir>/api/openapi-spec/swagger.json
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRenderer, overlays, render } from './kustomize.ts'

interface Definition {
  [keyword: string]: unknown
  'x-kubernetes-group-version-kind'?: ReadonlyArray<{ group: string; version: string; kind: string }>
}

const [swagger = ''] = process.argv.slice(2)
const { definitions } = JSON.parse(readFileSync(swagger, 'utf8')) as { definitions: Record<string, Definition> }
const renderer = findRenderer()
if (!renderer) throw new Error('there is no kustomize, no kubectl and no Go')
const used = new Set(
  overlays.flatMap((overlay) => render(renderer, overlay)).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
)

const kinds: Record<string, unknown> = {}
const taken: Record<string, unknown> = {}
for (const [name, definition] of Object.entries(definitions))
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
    const full = `${group === '' ? version : `${group}/${version}`} ${kind}`
    if (used.has(full)) kinds[full] = { $ref: take(name) }
  }
const file = join(import.meta.dirname, 'schemas.json')
writeFileSync(file, `${JSON.stringify({ kinds, $defs: taken })}\n`)
console.log(`${file}: ${Object.keys(kinds).sort().join(', ')}`)

/** Puts a definition, and those that it names, among what is taken; answers what names it there. */
function take(name: string): string {
  if (!(name in taken)) {
    taken[name] = {}
    taken[name] = name.endsWith('.Quantity') ? { type: ['string', 'number'] } : strict(definitions[name])
  }
  return `#/$defs/${name}`
}

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const given = schema as Definition
  if (typeof given['$ref'] === 'string') return { $ref: take(given['$ref'].replace('#/definitions/', '')) }
  if (given['format'] === 'int-or-string') return { type: ['string', 'integer'] }
  const properties = given['properties'] as Record<string, unknown> | undefined
  const kept = ['type', 'required', 'items', 'enum', 'additionalProperties']
  return {
    ...Object.fromEntries(kept.filter((key) => key in given).map((key) => [key, strict(given[key])])),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, strict(value)])),
      additionalProperties: false,
    }),
  }
}
