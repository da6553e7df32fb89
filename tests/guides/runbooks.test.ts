import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const alerts = read('deploy/observability/alerts.yml')
const pages = globSync('docs/runbooks/*.md', { cwd: ROOT })

const ENDINGS = { counter: ['_total'], gauge: [''], histogram: ['_bucket', '_sum', '_count', ''] }

/** Every name under which the processes show a metric, as Prometheus spells it. */
function shownMetrics(): Set<string> {
  const files = globSync(['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'gateway/src/**/*.ts'], { cwd: ROOT })
  const defined = files.flatMap((file) => [
    ...read(file).matchAll(/metrics\s*\.(counter|gauge|histogram)\(\s*'(\w+)'/g),
  ])
  return new Set(
    defined.flatMap(([, kind, name]) =>
      ENDINGS[kind as keyof typeof ENDINGS].map((ending) => (name!.endsWith(ending) ? name! : name + ending)),
    ),
  )
}

const FIRST_WORDS = 'outbox|expired|consumer|webhook|hooks?|rate_limit|epochs|http|rpc'
const METRIC = new RegExp(`\\b(?:${FIRST_WORDS})_[a-z0-9_]+\\b`, 'g')

test('alerts watch metrics that the processes show', () => {
  const watched = new Set(
    [...alerts.matchAll(/expr: (?:>-\n)?([^]*?)\n {8}(?:for|labels):/g)].flatMap(
      ([, expr]) => expr!.match(METRIC) ?? [],
    ),
  )
  expect(watched.size).toBeGreaterThan(5)
  expect([...watched].filter((name) => !shownMetrics().has(name))).toEqual([])
})

test('runbooks name metrics that the processes show', () => {
  const spelt = pages.flatMap((page) =>
    [...read(page).matchAll(/`([a-z0-9_]+)(?:\{[^`]*\})?`/g)].map(([, name]) => name!),
  )
  const named = spelt.filter((name) => new RegExp(`^(?:${FIRST_WORDS})_`).test(name))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !shownMetrics().has(name))).toEqual([])
})

test('every alert leads to a page that names it, and every page is listed', () => {
  const rules = [...alerts.matchAll(/- alert: (\w+)[^]*?runbook: (\S+)/g)]
  expect(rules.length).toBe(alerts.match(/- alert:/g)!.length)
  const index = read('docs/runbooks/README.md')
  for (const [, alert, page] of rules) {
    expect(pages).toContain(page)
    expect(index).toMatch(new RegExp(`\\(${page!.split('/').pop()}\\).*\`${alert}\``))
  }
})
