import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { percentile, platform, rounded, table } from './report.ts'

/**
 * How long the command line takes to tell its help, as the one file that is packed, next to a Node that does nothing, in turns.
 *
 *   node --conditions=source tests/bench/cli-start.ts [runs]
 */
const runs = Number(process.argv[2] ?? 40)
const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cli-start-'))
const file = join(folder, 'dispatch.js')
const env = { PATH: process.env['PATH'], HOME: folder }

function took(...words: string[]): number {
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, words, { env, stdio: 'ignore' })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`)
  return performance.now() - startedAt
}

try {
  execFileSync(process.execPath, [join(root, 'cli/build.mjs'), file], { stdio: 'inherit' })
  const help: number[] = []
  const nothing: number[] = []
  for (let turn = 0; turn < runs; turn++) {
    help.push(took(file, '--help'))
    nothing.push(took('--eval', '0'))
  }
  const row = (what: string, ms: readonly number[]) => [
    what,
    ...[0, 0.5, 1].map((share) => rounded(percentile(ms, share))),
  ]
  console.log(platform())
  console.log(
    table(
      ['what', 'fastest ms', 'median ms', 'slowest ms'],
      [row('dispatch --help', help), row('node --eval 0', nothing)],
    ),
  )
} finally {
  rmSync(folder, { recursive: true })
}
