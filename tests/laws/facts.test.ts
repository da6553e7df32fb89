import { describe, expect, test } from '@jest/globals'
import { facts, TOPICS, topicsOf } from '@svc/contracts/facts'
import { EVENTS, PING } from '@svc/public-bodies'
import { type File, files } from './tree.ts'

interface Tree {
  /** Every fact with the topics that it is announced on. */
  facts: Readonly<Record<string, readonly string[]>>
  /** Of services. */
  sources: readonly File[]
  /** Events that a merchant may list. */
  listable: readonly string[]
  /** Names under `webhooks` of openapi.json, but that which nobody lists. */
  published: readonly string[]
  /** Names in the tables of docs/guides/webhooks.md. */
  documented: readonly string[]
}

const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

function breaches(tree: Tree): string[] {
  return [
    ...factsWithoutBuilder(tree),
    ...factsOfNoTable(tree),
    ...factsBuiltElsewhere(tree),
    ...badConsumerNames(tree),
    ...differences(tree.listable, tree.published, 'openapi.json'),
    ...differences(tree.listable, tree.documented, 'docs/guides/webhooks.md'),
    ...tree.listable.filter((event) => !(event in tree.facts)).map((event) => `${event} may be listed and is no fact`),
  ]
}

/** A fact is built where its service names it: in events.ts, or in the domain's `*-event.ts` that events.ts follows. */
function factsWithoutBuilder({ facts, sources }: Tree): string[] {
  return Object.entries(facts).flatMap(([name, topics]) => {
    if (topics.length !== 1) return []
    const service = /^svc\.(\w+)\.v1$/.exec(topics[0]!)?.[1]
    const builders = new RegExp(`^services/${service}/src/(events|domain/[a-z-]+-event)\\.ts$`)
    const isBuilt = sources.some(({ path, text }) => builders.test(path) && text.includes(`'${name}'`))
    return isBuilt ? [] : [`${name} has no builder in services/${service}/src/events.ts`]
  })
}

/** Names that look like those of facts and are composed, so that no search finds them. */
function factsOfNoTable({ facts, sources }: Tree): string[] {
  const prefixes = new Set(Object.keys(facts).map((name) => name.split('.')[0]))
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/type: `(\w+)\.\$\{/g)].flatMap(([, prefix]) =>
      prefixes.has(prefix) ? [`${path} composes the name of a fact: ${prefix}.`] : [],
    ),
  )
}

/** Facts that are put together where they are published, so that events.ts does not show all that a service announces. */
const factsBuiltElsewhere = ({ sources }: Tree): string[] =>
  sources.filter(({ text }) => text.includes('tx.publish({')).map(({ path }) => `${path} builds a fact`)

function badConsumerNames({ sources }: Tree): string[] {
  const seen = new Set<string>()
  return sources.flatMap(({ path, text }) => {
    const service = /^services\/(\w+)\/src\/consumers\//.exec(path)?.[1]
    if (service === undefined || !text.includes('consumer({')) return []
    const name = /consumer\(\{\s*name: '([^']*)'/.exec(text)?.[1]
    if (name === undefined || !KEBAB_CASE.test(name)) return [`${path}: ${name} is no name of a consumer`]
    const inbox = `${service} ${name}`
    if (seen.has(inbox)) return [`${path}: another consumer of ${service} is called ${name}`]
    seen.add(inbox)
    return []
  })
}

const differences = (listable: readonly string[], told: readonly string[], where: string): string[] => [
  ...listable.filter((event) => !told.includes(event)).map((event) => `${event} is missing in ${where}`),
  ...told.filter((event) => !listable.includes(event)).map((event) => `${event} in ${where} cannot be listed`),
]

async function ourTree(): Promise<Tree> {
  const [openapi] = await files('gateway/openapi.json')
  const [guide] = await files('docs/guides/webhooks.md')
  const names = Object.keys(facts) as Array<keyof typeof facts>
  const rows = guide!.text.matchAll(/^\| `([a-z_]+\.[a-z_]+)`/gm)
  return {
    facts: Object.fromEntries(names.map((name) => [name, topicsOf(name)])),
    sources: await files('services/*/src/**/*.ts'),
    listable: EVENTS,
    published: Object.keys(JSON.parse(openapi!.text).webhooks).filter((name) => name !== PING),
    documented: [...rows].map(([, name]) => name!),
  }
}

describe('facts', () => {
  test('have a builder and a table, their consumers a name, and those that merchants may list are told of', async () => {
    const tree = await ourTree()
    expect(tree.sources.length).toBeGreaterThan(400)
    expect(breaches(tree)).toEqual([])
  })

  test('on every topic there is one: the audit row', () => {
    const names = Object.keys(facts) as Array<keyof typeof facts>
    expect(names.filter((name) => topicsOf(name).length > 1)).toEqual(['audit.recorded'])
    expect(topicsOf('audit.recorded')).toEqual(TOPICS)
  })

  test('the law finds what breaks it', () => {
    const source = (path: string, text: string) => ({ path: `services/${path}.ts`, text })
    const consumer = (file: string, name: string) =>
      source(file, `export const on = consumer({\n  name: '${name}',\n  of: [] })`)
    const sample: Tree = {
      facts: { 'order.held': ['svc.order.v1'], 'order.sold': ['svc.order.v1'] },
      sources: [
        source('order/src/events', "const held = { type: 'order.held' }; const bad = { type: `order.${status}` }"),
        source('wallet/src/events', "const sold = { type: 'order.sold' }"),
        source('wallet/src/use-cases/sell', 'tx.publish({ type, payload })'),
        consumer('wallet/src/consumers/on-one', 'one'),
        consumer('wallet/src/consumers/on-first', 'one'),
        consumer('wallet/src/consumers/on-two', 'two of them'),
        consumer('webhook/src/consumers/on-one', 'one'),
      ],
      listable: ['order.held', 'order.lost'],
      published: ['order.held'],
      documented: ['order.held', 'order.lost', 'order.found'],
    }
    expect(breaches(sample)).toEqual([
      'order.sold has no builder in services/order/src/events.ts',
      'services/order/src/events.ts composes the name of a fact: order.',
      'services/wallet/src/use-cases/sell.ts builds a fact',
      'services/wallet/src/consumers/on-first.ts: another consumer of wallet is called one',
      'services/wallet/src/consumers/on-two.ts: two of them is no name of a consumer',
      'order.lost is missing in openapi.json',
      'order.found in docs/guides/webhooks.md cannot be listed',
      'order.lost may be listed and is no fact',
    ])
  })
})
