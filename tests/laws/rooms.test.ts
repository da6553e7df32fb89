import { describe, expect, test } from '@jest/globals'
import { type File, files, importsOf } from './tree.ts'

const FILES = ['main', 'service', 'config', 'context', 'events']
const ROOMS = 'rpc consumers workers commands use-cases changes commissions domain db messages peers'.split(' ')
/** The ways in: what they import directly is a verb. */
const WAYS_IN = /^(rpc|consumers|workers|commands)\//
const VERBS = /^(use-cases|changes)\//
/** What every change goes through: it lies beside the verbs that are made of it, in order alone. */
const PROTOCOL = ['change', 'make-change', 'kinds', 'once', 'announce'].map((name) => `changes/${name}.ts`)

interface Breaches {
  /** Files and folders of src/ that are no room. */
  homeless: string[]
  /** Files among the verbs that no way in imports. */
  strays: string[]
  /** Pairs of rooms that import each other, be it through others. */
  circles: string[]
}

/** What breaks the rooms of one service; paths are relative to its src/. */
function breaches(tree: readonly File[], src: string): Breaches {
  const own = tree
    .filter(({ path }) => path.startsWith(src) && !path.endsWith('.test.ts'))
    .map((file) => ({
      path: file.path.slice(src.length),
      imports: importsOf(file).flatMap((target) => (target.startsWith(src) ? [target.slice(src.length)] : [])),
    }))
  const homeless = own.map(({ path }) => (path.includes('/') ? roomOf(path) : path.slice(0, -'.ts'.length)))
  const verbs = new Set(own.filter(({ path }) => WAYS_IN.test(path)).flatMap(({ imports }) => imports))
  const edges = Map.groupBy(
    own.flatMap(({ path, imports }) => imports.map((to) => ({ from: roomOf(path), to: roomOf(to) }))),
    ({ from }) => from,
  )
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const { to } of edges.get(from) ?? []) {
      if (to.endsWith('.ts') || to === from || seen.has(to)) continue
      reach(to, seen.add(to))
    }
    return seen
  }
  const rooms = [...edges.keys()].filter((room) => !room.endsWith('.ts')).toSorted()
  return {
    homeless: [...new Set(homeless)].filter((name) => !ROOMS.includes(name) && !FILES.includes(name)).toSorted(),
    strays: own
      .map(({ path }) => path)
      .filter((path) => VERBS.test(path) && !verbs.has(path) && !PROTOCOL.includes(path)),
    circles: rooms.flatMap((from) =>
      [...reach(from)].filter((to) => from < to && reach(to).has(from)).map((to) => `${from} ${to}`),
    ),
  }
}

/** Changes of an order that no other process could finish: kinds.ts does not know them. */
function unfinishable(tree: readonly File[]): string[] {
  const known = new Set(tree.filter(({ path }) => path.endsWith('/changes/kinds.ts')).flatMap(importsOf))
  const made = tree.filter(
    ({ path, text }) => path.includes('/src/changes/') && /^export const \w+: Change</m.test(text),
  )
  return made.map(({ path }) => path).filter((path) => !known.has(path))
}

const roomOf = (path: string): string => path.split('/')[0] ?? ''

/** What has still to move, by service; strays are counted. Lists and counts only shrink. */
const LEFT: Record<string, { homeless?: string[]; strays?: number; circles?: string[] }> = {}

/** Folders of one service that are neither verbs nor rules nor rows. */
const REASONS: Record<string, string> = {
  security: 'admin: passwords, keys and sessions are cryptography, neither pure nor a peer',
  creations: 'order: what three rpcs that create an order have in common, from its draft to its reply',
  shipments:
    'order: what follows for a shipment from the wallet’s answers and from its orders, called by intents and by changes',
  channels: 'ingestion: one folder per inbound channel says how its hooks are verified and read',
}

const tree = await files('services/*/src/**/*.ts')
const services = [...new Set(tree.map(({ path }) => path.split('/').slice(0, 2).join('/')))]

describe('a change of an order', () => {
  test('can be finished by another process', () => {
    expect(unfinishable(tree)).toEqual([])
  })

  test('that kinds.ts does not know is found', () => {
    const sample = [
      { path: 'services/order/src/changes/kinds.ts', text: "import { cancel } from './cancel-order.ts'\n" },
      { path: 'services/order/src/changes/cancel-order.ts', text: 'export const cancel: Change<Cancel, Order> = {\n' },
      { path: 'services/order/src/changes/hold-order.ts', text: 'export const hold: Change<Hold, Order> = {\n' },
    ]
    expect(unfinishable(sample)).toEqual(['services/order/src/changes/hold-order.ts'])
  })
})

describe('the rooms of a service', () => {
  test('the scan sees the services', () => {
    expect(services.length).toBeGreaterThan(5)
  })

  test.each(services)('%s holds its rooms alone', (service) => {
    const left = LEFT[service.split('/')[1] ?? ''] ?? {}
    const { homeless, strays, circles } = breaches(tree, `${service}/src/`)
    expect(homeless.filter((name) => !(name in REASONS) && !left.homeless?.includes(name))).toEqual([])
    expect(strays.length <= (left.strays ?? 0) ? [] : strays).toEqual([])
    expect(circles.filter((pair) => !left.circles?.includes(pair))).toEqual([])
  })

  test('a helper among the files, a verb that no way in calls, and a circle are found', () => {
    const sample = [
      { path: 'services/order/src/helpers.ts', text: '' },
      { path: 'services/order/src/rpc/orders.ts', text: "import { cancel } from '../use-cases/cancel.ts'\n" },
      { path: 'services/order/src/use-cases/cancel.ts', text: "import { rule } from '../domain/rule.ts'\n" },
      { path: 'services/order/src/use-cases/rule.ts', text: '' },
      { path: 'services/order/src/domain/rule.ts', text: "import type { Cancel } from '../use-cases/cancel.ts'\n" },
    ]
    expect(breaches(sample, 'services/order/src/')).toEqual({
      homeless: ['helpers'],
      strays: ['use-cases/rule.ts'],
      circles: ['domain use-cases'],
    })
  })
})
