/**
 * CPU of one order, in milliseconds, by who spends it: docs/performance.md, "With all that and nothing beside it", at 50
 * clients. Its creation, and what its first fact costs every consumer.
 */
const CREATED_MS: Readonly<Record<string, number>> = {
  gateway: 0.48,
  order: 0.56,
  dispatch: 0.62,
  wallet: 0.23,
  webhook: 0.19,
  admin: 0.18,
  postgres: 2.5,
  kafka: 0.38,
}

/**
 * What follows until it is delivered, in the same unit. Six changes of its status are counted as three creations, which is
 * an assumption: a change stores and tells less than a creation does. Seven webhooks at 0.2 ms each are measured, and so are
 * ten reads at 0.57 ms, of which the gateway has 0.24, the order service 0.16 and Postgres 0.12.
 */
const CHANGES_AS_CREATIONS = 3
const WEBHOOKS_MS = 7 * 0.2
const READS = 10
const READ_MS: Readonly<Record<string, number>> = { gateway: 0.24, order: 0.16, postgres: 0.12 }

/** Of a core, so that a queue stays short and a node may be lost: the autoscaler aims at it. */
const BUSY = 0.5
/** Of a process that runs JavaScript on one thread. */
const CORES_OF_A_REPLICA = 1
const CORES_OF_A_NODE = 8
/** Two pools of ten and a listener. */
const CONNECTIONS_OF_A_REPLICA = 21
/** One in each zone, of which one may be away. */
const LEAST_REPLICAS = 3
/** Topics have four partitions: a consumer more has nothing to do until they have more. */
const PARTITIONS = 4
const RATES = [1, 10, 100, 1_000]

/** Milliseconds of CPU until an order is delivered, of one party. */
export const orderMs = (party: string): number =>
  (CREATED_MS[party] ?? 0) * (1 + CHANGES_AS_CREATIONS) +
  READS * (READ_MS[party] ?? 0) +
  (party === 'webhook' ? WEBHOOKS_MS : 0)

const round = (cores: number) => (cores < 10 ? cores.toFixed(1) : cores.toFixed(0))

/** Cores and replicas for so many orders a second, as a table of Markdown. */
export function capacityTable(): string {
  const processes = ['gateway', 'order', 'dispatch', 'wallet', 'webhook', 'admin', 'ingestion']
  const parties = [...processes, 'postgres', 'kafka']
  const cores = (party: string, rate: number) => (orderMs(party) * rate) / 1_000
  const replicas = (party: string, rate: number) =>
    Math.max(LEAST_REPLICAS, Math.ceil(cores(party, rate) / BUSY / CORES_OF_A_REPLICA))
  const rows = parties.map((party) => {
    const cells = RATES.map((rate) => {
      const needed = round(cores(party, rate))
      if (!processes.includes(party)) return needed
      const count = replicas(party, rate)
      return `${needed}, ${count}${party !== 'gateway' && count > PARTITIONS ? ' (!)' : ''}`
    })
    return [party, orderMs(party).toFixed(1), ...cells]
  })
  const services = processes.filter((party) => party !== 'gateway')
  const totals = RATES.map((rate) => {
    const all = processes.reduce((sum, party) => sum + cores(party, rate), 0)
    const connections = services.reduce((sum, party) => sum + replicas(party, rate), 0) * CONNECTIONS_OF_A_REPLICA
    return { nodes: Math.max(LEAST_REPLICAS, Math.ceil(all / BUSY / CORES_OF_A_NODE) + 1), connections }
  })
  rows.push(['nodes of 8 cores', '', ...totals.map(({ nodes }) => String(nodes))])
  rows.push(['connections', '', ...totals.map(({ connections }) => String(connections))])
  const head = ['', 'ms an order', ...RATES.map((rate) => `${rate.toLocaleString('en')}/s`)]
  return aligned([head, head.map(() => '-'), ...rows])
}

function aligned(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length), 3))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (cell === '-' ? '-'.repeat(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`
  return rows.map(line).join('\n')
}
