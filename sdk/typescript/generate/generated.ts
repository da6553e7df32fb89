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
  const head = `${HEAD}import type { CallOptions } from '../send.ts'\nimport type { Pages } from '../pages.ts'\nimport type { UnknownEventName } from '../unknown-event.ts'\n\n`
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

/** The components that the calls, events and errors name, directly or by another. */
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
    if (name === 'ErrorDetails' || new RegExp(`\\b${name}\\b`).test(text)) {
      wanted.add(name)
      visit(components.schemas[name])
    }
  visit(webhooks)
  // Told apart by their names below.
  wanted.delete('Event')
  return [...wanted]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => {
      const schema = components.schemas[name]!
      return `${docs(schema.description)}export type ${name} = ${typeOf(schema)}\n`
    })
    .join('\n')
}

/**
 * What is posted to an endpoint and what the log has, told apart by `event`. The document says of a log's event only that
 * it has a name; which names it may have is known of the webhook with the same fields.
 */
function events({ webhooks, components: { schemas: known } }: Document): string {
  const namesOf = Map.groupBy(Object.keys(webhooks), (name) =>
    nameOf(webhooks[name]!.post.requestBody!.content!['application/json']!.schema.$ref!),
  )
  const logged = new Map(
    known['Event']!.anyOf!.map(({ $ref }) => {
      const entry = nameOf($ref!)
      const asked = known[entry]!.required!.filter((field) => field !== 'cursor')
      const [, names] = [...namesOf].find(([body]) => asked.every((field) => known[body]!.required!.includes(field)))!
      return [entry, names]
    }),
  )
  return (
    union('WebhookEvent', 'What is posted to an endpoint, told apart by `event`.', namesOf, known) +
    union('Event', 'An entry of the event log, told apart by `event`.', logged, known)
  )
}

/** One type for each body, by its names, and one for names that came later: of that is known what all the others have. */
function union(
  name: string,
  meaning: string,
  namesOf: ReadonlyMap<string, string[]>,
  known: Document['components']['schemas'],
): string {
  const bodies = [...namesOf.keys()]
  const common = Object.keys(known[bodies[0]!]!.properties!).filter(
    (field) => field !== 'event' && bodies.every((body) => known[body]!.required!.includes(field)),
  )
  const members = [...namesOf].map(
    ([body, names]) => `(${body} & { event: ${names.map((one) => JSON.stringify(one)).join(' | ')} })`,
  )
  const later = `(Pick<${bodies[0]}, ${common.map((field) => JSON.stringify(field)).join(' | ')}> & { event: UnknownEventName; [name: string]: unknown })`
  return `\n${docs(meaning)}export type ${name} =\n${[...members, later].map((type) => `| ${type}`).join('\n')}\n`
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
