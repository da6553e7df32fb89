import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { programPath } from '../../libs/servers/native.mjs'
import { ROOT, read, shownMetrics, watchedMetrics } from './shown-metrics.ts'

const FOLDER = 'deploy/observability'
const rules = ['alerts.yml', 'slo.yml'].map((file) => read(`${FOLDER}/${file}`)).join('\n')
const alertNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
const recorded = new Set([...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name!))
const expressions = [...rules.matchAll(/expr: (?:>-\n((?: {10,}.*\n)+)|(.*)\n)/g)].map(
  ([, lines, line]) => lines ?? line!,
)

const promtool = programPath('promtool')
if (!promtool) console.warn('SKIPPED: the alerts are not tried, for promtool is missing: apt-get install prometheus')
/** CI has it: `npm test` installs it with the servers. */
const withPromtool = promtool || process.env['CI'] ? test : test.skip

test('rules watch metrics that the processes show', () => {
  const shown = shownMetrics()
  const watched = new Set(expressions.flatMap(watchedMetrics))
  expect(watched.size).toBeGreaterThan(20)
  expect([...watched].filter((name) => name !== 'up' && !shown.has(name) && !recorded.has(name))).toEqual([])
})

test('every alert of alerts.yml has series by which it fires and series by which it stays silent', () => {
  const cases = read(`${FOLDER}/alerts.test.yml`)
  const alerts = [...read(`${FOLDER}/alerts.yml`).matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  for (const name of alerts) {
    expect(cases).toContain(`alertname="${name}",alertstate="firing"`)
    expect(cases).toMatch(new RegExp(`alertname: ${name}, .*exp_alerts: \\[\\]`))
  }
  expect(new Set(alertNames).size).toBe(alertNames.length)
})

withPromtool('the rules, and what scrapes for them, are what Prometheus takes', () => {
  execFileSync(promtool!, ['check', 'config', `${FOLDER}/prometheus.yml`], { cwd: ROOT, stdio: 'pipe' })
})

withPromtool('each alert fires when it should and stays silent when it should', () => {
  const files = ['alerts', 'slo'].map((name) => `${FOLDER}/${name}.test.yml`)
  try {
    execFileSync(promtool!, ['test', 'rules', ...files], { cwd: ROOT, stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer }
    throw new Error(Buffer.concat([stdout, stderr]).toString())
  }
})
