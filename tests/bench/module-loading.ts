import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median, platform, rounded, table } from './report.ts'

/**
 * What CPU it takes to load each process, which is most of a start: Node, what registers telemetry, and all that its main.ts
 * imports, without running it. With other clones these are measured in turns.
 *
 *   node --conditions=source tests/bench/module-loading.ts [turns] [other clones, before this one]
 */
const [turns = '8', ...others] = process.argv.slice(2)
const here = join(import.meta.dirname, '../..')
const clones = [...others.map((one) => resolve(one)), here]
const PROCESSES = {
  admin: 'services/admin/src/service.ts',
  dispatch: 'services/dispatch/src/service.ts',
  ingestion: 'services/ingestion/src/service.ts',
  order: 'services/order/src/service.ts',
  wallet: 'services/wallet/src/service.ts',
  webhook: 'services/webhook/src/service.ts',
  gateway: 'gateway/src/gateway.ts',
}
const MICROSECONDS = 1_000
const folder = await mkdtemp(join(tmpdir(), 'load-'))
/** By the process itself, when all is loaded. */
const toFile = (file: string) =>
  `const { user, system } = process.cpuUsage(); fs.writeFileSync(${JSON.stringify(file)}, String(user + system)); process.exit()`

async function cpuMsOf(clone: string, entry: string): Promise<number> {
  const file = join(folder, 'cpu')
  const program = join(folder, 'load.mjs')
  const url = pathToFileURL(join(clone, entry)).href
  writeFileSync(program, `import fs from 'node:fs'\nawait import(${JSON.stringify(url)})\n${toFile(file)}\n`)
  const words = ['--conditions=source', '--import', '@svc/telemetry/register', program]
  const child = spawn(join(clone, 'node_modules/.bin/node'), words, {
    cwd: join(clone, entry, '../..'),
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(clone, '.local/cache/compiled') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${entry} of ${clone} does not load`)
  return Number(await readFile(file, 'utf8')) / MICROSECONDS
}

console.log(platform())
const rows: Array<Array<string | number>> = []
for (const [name, entry] of Object.entries(PROCESSES)) {
  const took: number[][] = clones.map(() => [])
  // The first leaves compiled code behind.
  for (let turn = -1; turn < Number(turns); turn++)
    for (const [index, clone] of clones.entries()) {
      const ms = await cpuMsOf(clone, entry)
      if (turn >= 0) took[index]?.push(ms)
    }
  const medians = took.map(median)
  const ratio = medians.length > 1 ? [rounded((medians.at(-1) ?? 0) / (medians[0] ?? 1), 2)] : []
  rows.push([name, ...medians.map((ms) => rounded(ms)), ...ratio])
}
await rm(folder, { recursive: true })
const headings = clones.map((clone) => `${basename(clone)}, ms of CPU`)
console.log(table(['process', ...headings, ...(clones.length > 1 ? ['ratio'] : [])], rows))
