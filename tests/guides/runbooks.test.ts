import { globSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { ROOT, read, shownMetrics } from './shown-metrics.ts'

const alerts = ['alerts.yml', 'slo.yml'].map((file) => read(`deploy/observability/${file}`)).join('\n')
const pages = globSync('docs/runbooks/*.md', { cwd: ROOT })

const FIRST_WORDS =
  'alerts|consumer|epochs|expired|health|hooks?|http|intents?|nodejs|outbox|pg_pool|process|rate_limit|realtime|rpc|settlements|sms|webhook'

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
