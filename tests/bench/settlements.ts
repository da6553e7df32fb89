import { randomUUID } from 'node:crypto'
import { numbered, pgbenchSettlements } from './pgbench-settlements.ts'
import { median, percentile, platform, rounded, table } from './report.ts'
import { walletProcess } from './wallet-process.ts'

/**
 * Commissions settled per second over gRPC, spread over a thousand merchants and of one merchant, next to pgbench running
 * the same SQL from as many clients; in turns within one run. Afterwards the books must balance.
 *
 *   node --conditions=source tests/bench/settlements.ts [seconds per turn] [rounds] [clients]
 */
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
const clients = Number(process.argv[4] ?? 32)
const SPREAD = 1_000

const system = await walletProcess()

async function fund(merchants: number): Promise<void> {
  await system.worker.query(
    `SELECT post_operation('fund:' || n, '', 'topup', n::text, id, false, 'NGN', NULL, '{}', NULL,
              '{provider,merchant}', ARRAY['00000000-0000-0000-0000-000000000000'::uuid, id],
              '{available,available}', '{topup,topup}', ARRAY[-1000000000000, 1000000000000], NULL, NULL, NULL, NULL)
       FROM (SELECT n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, $1::int) AS n) m`,
    [merchants],
  )
}

interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** A closed loop of settlements of new orders. */
async function load(merchants: number, lastsSeconds: number): Promise<Measured> {
  const latencies: number[] = []
  const started = performance.now()
  const until = started + lastsSeconds * 1_000
  const client = async () => {
    while (performance.now() < until) {
      const order_id = randomUUID()
      const before = performance.now()
      const { outcome } = await system.commissions().settleCommission({
        op_key: `commission:${order_id}:1`,
        order_id,
        merchant_id: numbered(1 + Math.floor(Math.random() * merchants)),
        rider_id: numbered(1 + Math.floor(Math.random() * 100_000)),
        amount_minor: 5,
        currency: 'NGN',
        mode: 'pay',
        payer: 'merchant',
      })
      if (outcome?.outcome !== 'applied') throw new Error(`a settlement ended as ${outcome?.outcome}`)
      latencies.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = latencies.length / ((performance.now() - started) / 1_000)
  return { perSecond, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) }
}

async function expectBalanced(): Promise<void> {
  const { rows } = await system.worker.query(
    `SELECT sum(amount_minor) AS total FROM ledger_lines
     UNION ALL SELECT count(*) FROM accounts WHERE balance_minor < 0
     UNION ALL SELECT count(*) FROM (SELECT a.id FROM accounts a JOIN ledger_lines l ON l.account_id = a.id
       WHERE a.floor_minor IS NOT NULL GROUP BY a.id HAVING a.balance_minor <> sum(l.amount_minor) OR a.version <> count(*)) wrong`,
  )
  if (rows.some(({ total }) => Number(total) !== 0)) throw new Error('the books do not balance; the run says nothing')
}

try {
  await fund(SPREAD)
  await system.worker.query('ANALYZE accounts')
  await load(SPREAD, seconds)
  const rows: Array<Array<string | number>> = []
  for (const [name, merchants] of [
    ['spread', SPREAD],
    ['one merchant', 1],
  ] as const) {
    const measured: Measured[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push(await load(merchants, seconds))
      bare.push(pgbenchSettlements({ url: system.database.workerUrl, merchants, clients, seconds }))
    }
    const ratios = measured.map(({ perSecond }, round) => perSecond / (bare[round] ?? Number.NaN))
    rows.push([
      name,
      rounded(median(measured.map(({ perSecond }) => perSecond))),
      rounded(median(measured.map(({ p50Ms }) => p50Ms)), 1),
      rounded(median(measured.map(({ p99Ms }) => p99Ms)), 1),
      rounded(median(bare)),
      rounded(median(ratios), 2),
    ])
  }
  await expectBalanced()
  console.log(platform())
  console.log(table(['merchants', 'settlements/s', 'p50 ms', 'p99 ms', 'pgbench/s', 'ratio (median of pairs)'], rows))
} finally {
  await system.stop()
}
