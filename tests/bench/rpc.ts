import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { platform, rounded, table } from './report.ts'

/**
 * CPU of one call between two processes, both ends counted: by transport, over one replica and several, and with spans
 * recorded of no call, of one in a hundred and of each. A row is printed when it is measured; the sides take turns.
 *
 *   node --conditions=source tests/bench/rpc.ts [rounds] [calls]
 */
const rounds = Number(process.argv[2] ?? 3)
const calls = Number(process.argv[3] ?? 10_000)
const MANY = 3

interface Side {
  transport: 'unary' | 'shared'
  replicas: number
  /** The share of calls whose spans are recorded; without one there is nowhere to record them. */
  traced?: number
}

const shared: Side = { transport: 'shared', replicas: 1 }
const balanced: Side = { transport: 'shared', replicas: MANY }
const SIDES: Record<string, Side> = {
  unary: { transport: 'unary', replicas: 1 },
  shared,
  [`shared, ${MANY} replicas`]: balanced,
  '… 1 % traced': { ...balanced, traced: 0.01 },
  '… all traced': { ...balanced, traced: 1 },
}

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'rpc-spans-'))

async function measured({ transport, replicas, traced }: Side, callers: number): Promise<number> {
  const { stdout } = await run(
    process.execPath,
    [
      '--conditions=source',
      '--import',
      '@svc/telemetry/register',
      join(import.meta.dirname, 'rpc-process.ts'),
      ...[transport, replicas, callers, calls, traced ?? 0].map(String),
    ],
    {
      // As every process of the mesh starts, which have it among their packages.
      cwd: join(import.meta.dirname, '../../gateway'),
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'error',
        ...(traced !== undefined && {
          TRACE_FILE: join(folder, 'spans.jsonl'),
        }),
      },
    },
  )
  return (JSON.parse(stdout) as { cpuMicroseconds: number }).cpuMicroseconds
}

console.log(platform())
console.log(table(['callers', ...Object.keys(SIDES).map((side) => `${side} µs`), 'replicas', '1 %', 'all'], []))
for (const callers of [1, 10, 50]) {
  const taken = Object.keys(SIDES).map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, side] of Object.values(SIDES).entries()) taken[index]?.push(await measured(side, callers))
  // Of each side the least: other work on the machine only adds to it.
  const least = taken.map((values) => Math.min(...values))
  const [, one = 0, many = 0, some = 0, all = 0] = least
  const cells = [callers, ...least.map((value) => rounded(value))]
  console.log(`| ${[...cells, rounded(many / one, 2), rounded(some / many, 2), rounded(all / many, 2)].join(' | ')} |`)
}
await rm(folder, { recursive: true })
