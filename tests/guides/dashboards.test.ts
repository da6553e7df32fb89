import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { dashboards } from '../../deploy/observability/src/dashboards.ts'
import { programPath } from '../../libs/servers/native.mjs'
import { ROOT, read, shownMetrics, watchedMetrics } from './shown-metrics.ts'

interface Shown {
  panels: Array<{ targets?: Array<{ expr: string }> }>
}

const FOLDER = 'deploy/observability/dashboards'
const expressions = Object.values(dashboards).flatMap((content) =>
  (content as Shown).panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
)
const promtool = programPath('promtool')
if (!promtool) console.warn('SKIPPED: expressions of dashboards are not parsed, for promtool is missing')
const withPromtool = promtool || process.env['CI'] ? test : test.skip

test('the files that Grafana loads are what the code makes: npm run generate', () => {
  const files = readdirSync(join(ROOT, FOLDER)).sort()
  expect(files).toEqual(
    Object.keys(dashboards)
      .map((name) => `${name}.json`)
      .sort(),
  )
  for (const [name, content] of Object.entries(dashboards))
    expect(JSON.parse(read(`${FOLDER}/${name}.json`))).toEqual(JSON.parse(JSON.stringify(content)))
})

test('panels watch metrics that the processes show', () => {
  const shown = shownMetrics()
  const recorded = new Set([...read('deploy/observability/slo.yml').matchAll(/record: (\S+)/g)].map(([, name]) => name))
  const watched = new Set(expressions.flatMap(watchedMetrics))
  expect(watched.size).toBeGreaterThan(30)
  expect([...watched].filter((name) => !shown.has(name) && !recorded.has(name))).toEqual([])
})

withPromtool('every expression is one that Prometheus understands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'expressions-'))
  const rules = expressions.map((expr, index) => {
    const plain = expr.replaceAll('$__rate_interval', '1m')
    return `      - record: panel:${index}\n        expr: ${JSON.stringify(plain)}\n`
  })
  try {
    writeFileSync(join(folder, 'rules.yml'), `groups:\n  - name: panels\n    rules:\n${rules.join('')}`)
    execFileSync(promtool!, ['check', 'rules', '--lint=none', join(folder, 'rules.yml')], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
