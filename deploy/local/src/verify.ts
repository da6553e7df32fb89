// `npm run verify`: everything that can be checked without servers, in half a minute. A step that passed on the same files is
// not run again, but where CI is set. `--without-tests` is for who runs the whole suite next.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'
import { runTool, type Tool } from './run-tool.ts'
import { verified } from './verified.ts'

interface Step extends Tool {
  name: string
  /** The file without which there is nothing to check yet. */
  needs?: string
  /** Of which files its outcome depends; of all unless told. */
  inputs?: (path: string) => boolean
}

const ofProto = (path: string) => path.startsWith('proto/') || path === 'pnpm-lock.yaml'
const ofCode = (path: string) => !path.endsWith('.md')

/** The longest first, so that the short ones fill what is left of the cores. */
const STEPS: Step[] = [
  {
    name: 'unit tests',
    command: 'jest',
    // jest would leave a core to others: of two, one for the longest step by far, while the rest are soon done.
    args: ['--selectProjects', 'unit', '--silent', '--reporters=default', '--maxWorkers=100%'],
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  },
  {
    // In one: rules that know types and the compiler read the same program.
    name: 'types and lint',
    command: 'oxlint',
    args: ['--type-aware', '--type-check', '--quiet'],
    // Memory is cheaper here than the time of collecting it.
    env: { GOGC: '400' },
    inputs: ofCode,
  },
  { name: 'format', command: 'biome', args: ['check', '--max-diagnostics=50', '.'] },
  { name: 'no dead code', command: 'knip', args: ['--no-progress', '--no-config-hints'], inputs: ofCode },
  { name: 'proto lint', command: 'buf', args: ['lint'], cwd: 'proto', inputs: ofProto },
  { name: 'proto format', command: 'buf', args: ['format', '--diff', '--exit-code'], cwd: 'proto', inputs: ofProto },
  {
    name: 'proto breaking',
    command: 'buf',
    args: ['breaking', '--against', 'baseline.binpb'],
    cwd: 'proto',
    needs: 'proto/baseline.binpb',
    inputs: ofProto,
  },
  {
    name: 'the description of the API is current, and breaks no client',
    command: 'node',
    args: ['--conditions=source', 'gateway/src/write-openapi.ts', '--check'],
    needs: 'gateway/src/write-openapi.ts',
  },
]

/** More at once than cores: half of them wait for their start more than they compute. */
const AT_ONCE = 3

const isWanted = ({ command, needs }: Step) =>
  (!needs || existsSync(join(root, needs))) && !(command === 'jest' && process.argv.includes('--without-tests'))
const waiting = STEPS.filter(isWanted)
const failed: string[] = []
const known = verified(root, join(root, '.local/cache/verified.json'))

async function worker(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    if (!process.env.CI && known.isUnchanged(step)) {
      console.log(`✓ ${step.name} (unchanged)`)
      continue
    }
    const { ok, output, seconds } = await runTool(step)
    known.record(step, ok)
    console.log(`${ok ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)`)
    if (ok) continue
    failed.push(step.name)
    console.log(`${output.trimEnd()}\n  the command: ${[step.command, ...step.args].join(' ')}\n`)
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, worker))
console.log(failed.length === 0 ? 'All steps passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
