import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CREATE_ORDER_PARAMETERS } from '../../services/order/src/db/functions/create-order.sql.ts'
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
  const values: Record<string, string> = {
    p_id: 'gen_random_uuid()',
    p_merchant_id: "'00000000-0000-4000-8000-000000000000'",
    p_is_test: 'true',
    p_source: "'api'",
    p_external_order_id: 'gen_random_uuid()::text',
    p_status: "'pending'",
    // pgbench would read ":name" as a variable.
    p_unified_json: `'${unified.replaceAll("'", "''").replaceAll(':', ': ')}'`,
    p_scheduled_pickup_at: `'${standardized.scheduled_pickup_at}'`,
    p_delivery_window_start: `'${standardized.delivery_window_start}'`,
    p_delivery_window_end: `'${standardized.delivery_window_end}'`,
    p_tracking_token: 'gen_random_uuid()::text',
    p_request_fingerprint: "'\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'",
    p_valid_until: "'infinity'",
    p_event_id: 'gen_random_uuid()',
    p_headers: `'${headers}'`,
    p_payload: `'\\x${payload}'`,
  }
  return `SELECT * FROM create_order(${CREATE_ORDER_PARAMETERS.map(([name]) => values[name] ?? 'NULL').join(', ')});\n`
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
