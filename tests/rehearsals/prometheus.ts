import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePorts, startChild } from '@svc/servers'
import { programPath } from '../../libs/servers/native.mjs'

const RULES = resolve(import.meta.dirname, '../../deploy/observability')

/** A minute of the rules passes in so many seconds: two of them are four scrapes and more. */
const SECONDS_PER_MINUTE = 6
/** A process waits up to 2 s for a server that hangs before it shows its metrics. */
const SCRAPE = '2500ms'

const RULE_FILES = ['alerts.yml', 'slo.yml']

export interface Firing {
  alert: string
  job: string | undefined
}

/** A real Prometheus, with the rules of the repository in time-lapse. */
export async function startPrometheus(folder: string, metricsUrls: Readonly<Record<string, string>>) {
  const command = programPath('prometheus')
  if (!command) throw new Error('Prometheus is not installed: apt-get install prometheus')
  mkdirSync(folder, { recursive: true })
  const [port] = (await freePorts(1)) as [number]
  for (const file of RULE_FILES) writeFileSync(join(folder, file), timeLapse(readFileSync(join(RULES, file), 'utf8')))
  writeFileSync(join(folder, 'prometheus.yml'), configOf(metricsUrls))
  const child = await startChild({
    name: 'prometheus',
    command,
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    cwd: folder,
    env: {},
    logFile: join(folder, 'prometheus.log'),
    pidFile: join(folder, 'prometheus.pid'),
  })
  return {
    async firing(): Promise<Firing[]> {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`)
      const { data } = (await response.json()) as { data: { alerts: Array<{ state: string; labels: Labels }> } }
      return data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => ({ alert: labels['alertname'] ?? '', job: labels['job'] }))
    },
    /** How many series with a number an expression has at this moment; rejects with what Prometheus says against it. */
    async series(expression: string): Promise<number> {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { data, error } = (await response.json()) as {
        data?: { result: { value: [number, string] }[] }
        error?: string
      }
      if (!data) throw new Error(`${expression}: ${error}`)
      return data.result.filter(({ value }) => value[1] !== 'NaN').length
    },
    stop: () => child.stop(),
  }
}

type Labels = Record<string, string>

const MINUTES = { s: 1 / 60, m: 1, h: 60 }
const SPANS = /(for: |interval: |offset |\[)(\d+)([smh])(?:(:)(\d+)([smh]))?(?=[\s\])])/g

/**
 * Minutes and hours of waiting, of ranges with their steps, and the interval of a group pass in seconds. What is compared with
 * stays what it is: 60 s of lag are 60 s, and what would wait for hours is dated back by its fault.
 */
const timeLapse = (rules: string): string => {
  const lapsed = (count: string, unit: string) =>
    `${Math.max(1, Number(count) * MINUTES[unit as keyof typeof MINUTES] * SECONDS_PER_MINUTE)}s`
  return rules.replaceAll(SPANS, (_, before: string, count: string, unit: string, ...step: string[]) =>
    [before, lapsed(count, unit), step[0] ? `:${lapsed(step[1]!, step[2]!)}` : ''].join(''),
  )
}

const configOf = (metricsUrls: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    global: { scrape_interval: SCRAPE, scrape_timeout: SCRAPE, evaluation_interval: '1s' },
    rule_files: RULE_FILES,
    scrape_configs: Object.entries(metricsUrls).map(([job, url]) => ({
      job_name: job,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  })
