import { globSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { FAULTS } from '../rehearsals/faults/index.ts'
import { blocksOf, sectionOf } from '../rehearsals/page.ts'
import { rehearsedTable } from '../rehearsals/rehearsed-table.ts'
import { ROOT, read, shownMetrics } from './shown-metrics.ts'

const alerts = ['alerts.yml', 'slo.yml'].map((file) => read(`deploy/observability/${file}`)).join('\n')
const pages = globSync('docs/runbooks/*.md', { cwd: ROOT })

const FIRST_WORDS =
  'alerts|consumer|epochs|expired|health|hooks?|http|intents?|nodejs|outbox|pg_pool|process|rate_limit_without|realtime|rpc|settlements|sms|webhook'

test('runbooks name metrics that the processes show', () => {
  const spelt = pages.flatMap((page) =>
    [...read(page).matchAll(/`([a-z0-9_]+)(?:\{[^`]*\})?`/g)].map(([, name]) => name!),
  )
  const named = spelt.filter((name) => new RegExp(`^(?:${FIRST_WORDS})_`).test(name))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !shownMetrics().has(name))).toEqual([])
})

test('every alert leads to a page that is listed, and is named there or in the list', () => {
  const rules = [...alerts.matchAll(/- alert: (\w+)[^]*?runbook: (\S+)/g)]
  expect(rules.length).toBe(alerts.match(/- alert:/g)!.length)
  const index = read('docs/runbooks/README.md').split('\n')
  for (const [, alert, page] of rules) {
    expect(pages).toContain(page)
    const listed = index.find((line) => line.includes(`(${page!.split('/').pop()})`))
    expect(`${listed}\n${listed && read(page!)}`).toContain(`\`${alert}\``)
  }
})

test('every alert is rehearsed, and the table of the pages says so', () => {
  const watched = FAULTS.flatMap((fault) => fault.watched)
  const rehearsed = new Set(watched.map(({ alert }) => alert))
  const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  expect([...rehearsed].toSorted()).toEqual(named.toSorted())
  // `node --conditions=source tests/rehearsals/run.ts --table` prints it anew.
  expect(read('docs/runbooks/README.md')).toContain(rehearsedTable())
})

test('the section of an alert is of the page that the alert leads to, and is there', () => {
  const pageOf = new Map(
    [...alerts.matchAll(/- alert: (\w+)[^]*?runbook: docs\/runbooks\/(\S+)/g)].map(([, a, p]) => [a, p]),
  )
  for (const { alert, section } of FAULTS.flatMap((fault) => fault.watched)) {
    expect([alert, section.split('#')[0]]).toEqual([alert, pageOf.get(alert)])
    expect(() => blocksOf(section)).not.toThrow()
  }
})

test('who is woken reads first who feels it, and last what to do if the page does not help', () => {
  for (const { section } of FAULTS.flatMap((fault) => fault.watched)) {
    const [page] = section.split('#') as [string]
    const about = section.endsWith('#what-to-do') ? page : section
    expect([about, sectionOf(about).find(Boolean)]).toEqual([about, expect.stringMatching(/^\*\*Who feels it\*\*: \S/)])
    expect([page, sectionOf(page).findLast((line) => line.startsWith('## '))]).toEqual([
      page,
      '## If that does not help',
    ])
  }
})

test('every name that a line of the log raises as an alert stands in the table of LoggedAlert', () => {
  const files = globSync(['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'gateway/src/**/*.ts'], { cwd: ROOT })
  const raised = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...read(file).matchAll(/\balert: '\w+'|\bconst alert = .*|Alert\('\w+'/g)])
    .flatMap(([words]) => [...words.matchAll(/'(\w+)'/g)].map(([, name]) => name!))
  const told = sectionOf('processes.md#loggedalert').filter((line) => line.startsWith('| `'))
  const names = told.flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  expect([...new Set(raised)].toSorted()).toEqual(names.toSorted())
})

test('every command and every call that a page names is there', () => {
  const text = pages.map(read).join('\n')
  const commands = [...text.matchAll(/\b(?:services|tests|deploy)\/[\w$/-]+\.ts\b/g)].map(([path]) => path)
  const missing = commands.filter((path) => globSync(path.replace('$SERVICE', '*'), { cwd: ROOT }).length === 0)
  expect(commands.length).toBeGreaterThan(5)
  expect(missing).toEqual([])

  const { paths } = JSON.parse(read('gateway/openapi.json')) as { paths: Record<string, object> }
  const bare = (path: string) => path.replaceAll(/\{\w+\}|\$[A-Z_]+/g, '{}')
  const operations = new Set(
    Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((one) => `${one} ${bare(path)}`)),
  )
  const calls = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}-]+)/g)].map(
    ([, method, path]) => `${method!.toLowerCase()} ${bare(path!)}`,
  )
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter((call) => !operations.has(call))).toEqual([])
})

test('statements of pages that services share or own tell whose database they are for', () => {
  const shared = ['kafka-down.md', 'outbox-lag.md', 'parked-facts.md', 'restore.md']
  const untold = pages
    .filter((page) => !shared.some((name) => page.endsWith(name)))
    .filter((page) => /```sql$/m.test(read(page)))
    .filter((page) => !page.endsWith('expired-rows.md'))
  expect(untold).toEqual([])
})
