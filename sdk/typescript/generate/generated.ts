import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Document, readDocument } from './document.ts'
import { callsOf, operationTable, operationTypes } from './operations.ts'
import { docs, nameOf, typeOf } from './schema-type.ts'

const root = join(import.meta.dirname, '../../..')
const HEAD = '// Generated from gateway/openapi.json by `npm run generate`.\n\n'

/** The generated files and their texts, formatted as everything here is. */
export function generated(): Record<string, string> {
  const document = readDocument(join(root, 'gateway/openapi.json'))
  const calls = callsOf(document)
  const types = operationTypes(document, calls)
  const head = `${HEAD}import type { CallOptions } from '../send.ts'\nimport type { Pages } from '../pages.ts'\n\n`
  const files = {
    'types.ts': head + schemas(document, types) + events(document) + codes(document) + types,
    'operations.ts': `${HEAD}import type { OperationShape } from '../operation.ts'\n\n${operationTable(calls)}`,
  }
  const folder = join(root, 'sdk/typescript/src/generated')
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [join(folder, name), formatted(text)]))
}

const formatted = (text: string): string =>
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', '--stdin-file-path=generated.ts'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })

/** The components that the calls and events name, directly or by another. */
function schemas({ components, webhooks }: Document, text: string): string {
  const wanted = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, ref] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!wanted.has(ref!)) {
        wanted.add(ref!)
        visit(components.schemas[ref!])
      }
  }
  for (const name of Object.keys(components.schemas))
    if (new RegExp(`\\b${name}\\b`).test(text)) {
      wanted.add(name)
      visit(components.schemas[name])
    }
  visit(webhooks)
  return [...wanted]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => {
      const schema = components.schemas[name]!
      return `${docs(schema.description)}export type ${name} = ${typeOf(schema)}\n`
    })
    .join('\n')
}

/** Webhooks by their names: one type of event for each body, told apart by \`event\`. */
function events({ webhooks }: Document): string {
  const bodies = Map.groupBy(Object.keys(webhooks), (name) =>
    nameOf(webhooks[name]!.post.requestBody!.content!['application/json']!.schema.$ref!),
  )
  const types = [...bodies].map(
    ([body, names]) => `${body} & { event: ${names.map((name) => JSON.stringify(name)).join(' | ')} }`,
  )
  return `\n/** What is posted to an endpoint, told apart by \`event\`. */\nexport type WebhookEvent =\n${types.map((type) => `| (${type})`).join('\n')}\n`
}

/** Every code that an error of an integrator's call may have. */
function codes({ paths }: Document): string {
  const found = new Set<string>()
  for (const [path, methods] of Object.entries(paths))
    if (path.startsWith('/v1/') && !path.startsWith('/v1/admin/'))
      for (const { responses } of Object.values(methods))
        for (const { $ref } of Object.values(responses))
          if ($ref) for (const code of nameOf($ref).split('.').slice(1)) if (/^[A-Za-z_]+$/.test(code)) found.add(code)
  const sorted = [...found].toSorted((a, b) => a.localeCompare(b))
  return `\n/** Codes of errors; the list may grow. */\nexport type ErrorCode =\n${sorted.map((code) => `| '${code}'`).join('\n')}\n| (string & {})\n\n`
}
