import type { Panel, Row, Unit } from './grafana.ts'

/** As Grafana fills it in: never shorter than four scrapes. */
const RANGE = '[$__rate_interval]'

export const panel = (title: string, unit: Unit, series: Record<string, string>, description?: string): Panel => ({
  title,
  unit,
  series,
  ...(description !== undefined && { description }),
})

export const rate = (counter: string, labels = ''): string => `rate(${counter}${selector(labels)}${RANGE})`

/** A quantile of a histogram of seconds, over the labels that are kept. */
export const quantile = (q: number, histogram: string, labels = '', keep: readonly string[] = []): string =>
  `histogram_quantile(${q}, sum by (${['le', ...keep].join(', ')}) (${rate(`${histogram}_bucket`, labels)}))`

const selector = (labels: string) => (labels ? `{${labels}}` : '')

/** Median and tail of a histogram of seconds. */
export const latency = (title: string, histogram: string, labels = ''): Panel =>
  panel(title, 's', {
    p50: quantile(0.5, histogram, labels),
    p95: quantile(0.95, histogram, labels),
    p99: quantile(0.99, histogram, labels),
  })

/** What every process shows of itself. */
export const processRow = (job: string): Row => ({
  title: 'Processes',
  panels: [
    panel(
      'What they reach',
      'short',
      { '{{instance}} {{check}}': `health_check{job="${job}"}` },
      '1: it answers; 0: it does not.',
    ),
    panel('CPU, in cores', 'short', { '{{instance}}': rate('process_cpu_seconds_total', `job="${job}"`) }),
    panel('Memory', 'bytes', {
      '{{instance}}': `process_resident_memory_bytes{job="${job}"}`,
      '{{instance}} heap': `nodejs_heap_used_bytes{job="${job}"}`,
    }),
    panel('Event loop', 's', { '{{instance}} late by (p99)': `nodejs_eventloop_delay_p99_seconds{job="${job}"}` }),
    panel('Event loop: share of time busy', 'percentunit', {
      '{{instance}}': `nodejs_eventloop_utilization_ratio{job="${job}"}`,
    }),
    // No rate: the first of them would be an increase from nothing, which is none.
    panel(
      'Logged alerts, since the process started',
      'short',
      { '{{instance}} {{alert}}': `alerts_total{job="${job}"}` },
      'Each step up is a line of the log that somebody should look at.',
    ),
  ],
})

/** What not every service does: it asks others while it answers, takes their facts, has calls to make that must happen. */
export type Doing = 'calls' | 'facts' | 'intents'

/** What a service with a database shows. */
export const serviceRows = (job: string, does: readonly Doing[]): Row[] => [
  {
    title: 'Rpcs',
    panels: [
      panel('Answered, by outcome', 'reqps', {
        '{{outcome}}': `sum by (outcome) (${rate('rpc_server_duration_seconds_count', `job="${job}"`)})`,
      }),
      panel('Answered with errors, by rpc and code', 'reqps', {
        '{{rpc}} {{code}}': `topk(10, sum by (rpc, code) (${rate('rpc_server_calls_total', `job="${job}",code!="ok"`)}))`,
      }),
      panel('Slowest rpcs (p99)', 's', {
        '{{rpc}}': `topk(10, ${quantile(0.99, 'rpc_server_duration_seconds', `job="${job}"`, ['rpc'])})`,
      }),
      ...(does.includes('calls') ? [ofCalls(job)] : []),
    ],
  },
  {
    title: 'Database and facts',
    panels: [
      panel('Connections', 'short', {
        '{{instance}} {{pool}} {{state}}': `pg_pool_connections{job="${job}"}`,
        '{{instance}} {{pool}} wait': `pg_pool_waiting{job="${job}"}`,
      }),
      panel('Facts that wait for Kafka', 'short', { facts: `max(outbox_unpublished{source="${job}"})` }),
      panel('Age of the oldest of them', 's', { age: `max(outbox_lag_seconds{source="${job}"})` }),
      ...(does.includes('facts') ? ofConsumers(job) : []),
      ...(does.includes('intents') ? [ofIntents(job)] : []),
    ],
  },
]

const ofConsumers = (job: string): Panel[] => [
  panel('Facts not handled yet, by group', 'short', { '{{group}}': `max by (group) (consumer_lag{job="${job}"})` }),
  panel('Facts set aside', 'short', { '{{consumer}}': `max by (consumer) (consumer_parked{job="${job}"})` }),
]

const ofCalls = (job: string): Panel =>
  panel('Calls it makes (p99), by whom it asks', 's', {
    '{{to}}': quantile(0.99, 'rpc_client_duration_seconds', `job="${job}"`, ['to']),
  })

const ofIntents = (job: string): Panel =>
  panel('Age of the oldest call that is due', 's', {
    '{{kind}}': `max by (kind) (intent_oldest_seconds{job="${job}"})`,
  })
