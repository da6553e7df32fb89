import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Run {
  url: string
  merchants: number
  clients: number
  seconds: number
}

/** Ids of merchants and riders that pgbench can make from a number as well. */
export const numbered = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const numberedSql = (variable: string) => `('00000000-0000-4000-8000-' || lpad(:${variable}::text, 12, '0'))::uuid`

/** The statement of a settlement, with a fact of the same size. */
const script = (merchants: number) =>
  `\\set m random(1, ${merchants})
\\set r random(1, 100000)
SELECT * FROM settle_commissions(
  ARRAY['commission:' || gen_random_uuid() || ':1'], ARRAY['\\x${'00'.repeat(32)}'::bytea], ARRAY['pay'],
  ARRAY[gen_random_uuid()], ARRAY[${numberedSql('m')}], ARRAY[${numberedSql('r')}], ARRAY[5::bigint], ARRAY['NGN'],
  '{merchant}', ARRAY[${numberedSql('m')}], ARRAY[gen_random_uuid()], ARRAY['\\x${'00'.repeat(165)}'::bytea],
  ARRAY['{}'::jsonb]);
`

/** Transactions per second of the settlement's SQL without anything around it. */
export function pgbenchSettlements({ url, merchants, clients, seconds }: Run): number {
  const folder = mkdtempSync(join(tmpdir(), 'pgbench-'))
  const file = join(folder, 'settle.sql')
  // One meta-command or statement per line.
  writeFileSync(file, script(merchants).replaceAll('\n  ', ' '))
  try {
    const out = execFileSync(
      'pgbench',
      ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', file, url],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    return Number(/tps = ([\d.]+)/.exec(out)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
