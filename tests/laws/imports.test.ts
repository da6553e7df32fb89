import { describe, expect, test } from '@jest/globals'
import { type File, files, importsOf } from './tree.ts'

/** Pure: what a rule may be made of. */
const OF_A_DOMAIN =
  /^(services\/[^/]+\/src\/domain\/|@svc\/(errors|exact-json|phone|credentials|parcel|inputs|public-bodies)$|@mikro-orm\/core$|canonicalize$|node:(crypto|net|util)$)/

/** What has still to leave domain/: messages of a wire, and a provider's. The list only shrinks. */
const STILL_IN_DOMAIN = /^@svc\/(contracts\/|payments$)/

/** A loop with a timer outside libs/lifecycle, and why it stands. */
const LOOPS: Record<string, string> = {
  'gateway/src/gateway.ts': 'closes idle connections of the HTTP server',
  'gateway/src/pages/tracking.ts': 'its script runs in a browser',
  'gateway/src/realtime/sockets.ts': 'one round over all sockets of the process',
  'libs/grpc/src/balanced-transport.ts': 'looks up who may be called; a client is no part of a process',
  'libs/grpc/src/watched-files.ts': 'looks at certificates for those who show them; neither is a part of a process',
  'libs/kafka/src/consumer.ts': 'connects until Kafka is there, before it is a part',
  'libs/kafka/src/ensure-topics.ts': 'waits for leaders, and gives up',
  'libs/facts/src/relay.ts': 'a last pass while the process stops; a pause after each send',
  'libs/facts/src/handle-facts.ts': 'repeats one fact in its partition',
  'libs/intents/src/intent-worker.ts': 'a caller waits for the outcome of one call',
  'services/dispatch/src/use-cases/assignment/assign-rider.ts': 'a caller waits for the outcome of one call',
  'services/wallet/src/use-cases/seed/seed-demo.ts': 'the demonstration waits for its merchant',
  'services/webhook/src/workers/result-writer.ts': 'results wait in memory until the database is back',
}
const SLEEPS = /setInterval\(|import \{ setTimeout as \w+ \} from 'node:timers\/promises'|=> setTimeout\(resolve/
const REPEATS = /setInterval\(|\bwhile \(|\bdo \{|for \(;;\)/
const FOR_TESTS = /^libs\/(testing|mesh|servers)\//

/** Who imports whom must not, and where a loop keeps time by itself. */
function breaches(tree: readonly File[]): string[] {
  const services = new Set(tree.flatMap(({ path }) => /^services\/([^/]+)\//.exec(path)?.[1] ?? []))
  const isService = (name: string): boolean => services.has(name) || name === 'gateway'
  const found: string[] = []
  for (const file of tree) {
    const { path, text } = file
    const home = homeOf(path)
    for (const target of importsOf(file)) {
      const there = homeOf(target)
      const breach =
        (there !== undefined && there !== home) ||
        isService(/^@svc\/([^/]+)/.exec(target)?.[1] ?? '') ||
        (/\/src\/domain\//.test(path) && !OF_A_DOMAIN.test(target) && !STILL_IN_DOMAIN.test(target)) ||
        (/\/src\/(use-cases|changes)\//.test(path) && /\/src\/(rpc|consumers)\//.test(target)) ||
        (path.startsWith('gateway/src/routes/') && /^(express|pg|ioredis)$|^@mikro-orm/.test(target)) ||
        (path.startsWith('sdk/') && !target.startsWith(`${path.split('/', 2).join('/')}/`)) ||
        (path.startsWith('cli/') && !/^(cli\/|node:|@delivery-dispatch\/sdk$)/.test(target)) ||
        (target === 'kafkajs' && path !== 'libs/kafka/src/driver.ts')
      if (breach) found.push(`${path} imports ${target}`)
    }
    const isFree = path.startsWith('libs/lifecycle/') || FOR_TESTS.test(path) || path in LOOPS
    if (!isFree && SLEEPS.test(text) && REPEATS.test(text)) found.push(`${path} loops with a timer`)
  }
  return found
}

/** The service or gateway that a file is of. */
const homeOf = (path: string): string | undefined => /^(services\/[^/]+|gateway)\//.exec(path)?.[1]

describe('who may import whom', () => {
  test('no service imports another, no library a service, no domain more than rules; loops are in libs/lifecycle', async () => {
    const tree = await files('{gateway,services/*,libs/*,sdk/*,cli}/src/**/*.ts')
    const own = tree.filter(({ path }) => !path.endsWith('.test.ts'))
    expect(own.length).toBeGreaterThan(700)
    expect(breaches(own)).toEqual([])
  })

  test('each kind of breach is found', () => {
    const sample = [
      { path: 'services/order/src/use-cases/a.ts', text: "import { b } from '../../../wallet/src/b.ts'\n" },
      { path: 'services/wallet/src/domain/b.ts', text: "import pg from 'pg'\nimport { db } from '../db/c.ts'\n" },
      { path: 'services/wallet/src/use-cases/c.ts', text: "import { rpc } from '../rpc/d.ts'\n" },
      { path: 'services/order/src/e.ts', text: 'setInterval(() => {}, 1)\n' },
      { path: 'libs/config/src/f.ts', text: "import { order } from '@svc/order'\nimport { Kafka } from 'kafkajs'\n" },
      { path: 'sdk/typescript/src/a.ts', text: "import { Hash } from 'node:crypto'\nimport { b } from './b.ts'\n" },
      { path: 'cli/src/a.ts', text: "import { b } from '@svc/config'\nimport { c } from './c.ts'\n" },
      { path: 'gateway/src/routes/g.ts', text: "import { Redis } from 'ioredis'\n" },
    ]
    expect(breaches(sample)).toEqual([
      'services/order/src/use-cases/a.ts imports services/wallet/src/b.ts',
      'services/wallet/src/domain/b.ts imports pg',
      'services/wallet/src/domain/b.ts imports services/wallet/src/db/c.ts',
      'services/wallet/src/use-cases/c.ts imports services/wallet/src/rpc/d.ts',
      'services/order/src/e.ts loops with a timer',
      'libs/config/src/f.ts imports @svc/order',
      'libs/config/src/f.ts imports kafkajs',
      'sdk/typescript/src/a.ts imports node:crypto',
      'cli/src/a.ts imports @svc/config',
      'gateway/src/routes/g.ts imports ioredis',
    ])
  })
})
