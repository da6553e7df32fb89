import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orderBody } from '../journeys/merchant.ts'

const CLIENTS = 10

/** The statement of order creation, with a row of the same size. */
function script(): string {
  const { raw_payload, standardized } = orderBody()
  const unified = JSON.stringify({
    schema_version: '1',
    status: 'pending',
    payment_verified: false,
    raw_payload,
    standardized,
  })
  const payload = Buffer.from(unified.padEnd(unified.length + 200)).toString('hex')
  const headers = JSON.stringify({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
  return `SELECT * FROM create_order(
    gen_random_uuid(), '00000000-0000-4000-8000-000000000000', true, 'api', gen_random_uuid()::text, '${unified.replaceAll("'", "''").replaceAll(':', ': ')}',
    NULL, NULL, NULL, NULL,
    '${standardized.scheduled_pickup_at}', '${standardized.delivery_window_start}', '${standardized.delivery_window_end}',
    NULL, NULL, gen_random_uuid()::text, '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
    'infinity', gen_random_uuid(), '${headers}', '\\x${payload}', NULL, NULL, NULL, NULL);\n`.replaceAll('\n    ', ' ')
}

/** Transactions per second of the same SQL without anything around it, from ten clients. */
export function pgbenchOrders(appUrl: string, seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'pgbench-'))
  const file = join(folder, 'create-order.sql')
  writeFileSync(file, script())
  try {
    const out = execFileSync(
      'pgbench',
      ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', '-T', String(seconds), '-f', file, appUrl],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    return Number(/tps = ([\d.]+)/.exec(out)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
