// `npm run verify`: everything that can be checked without servers, in under a minute.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'
import { runTool, type Tool } from './run-tool.ts'

interface Step extends Tool {
  name: string
  /** The file without which there is nothing to check yet. */
  needs?: string
}

const STEPS: Step[] = [
  { name: 'types', command: 'tsc', args: ['--noEmit', '--pretty', 'false'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--quiet'] },
  { name: 'format', command: 'biome', args: ['check', '--max-diagnostics=50', '.'] },
  { name: 'no dead code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
  { name: 'proto lint', command: 'buf', args: ['lint'], cwd: 'proto' },
  { name: 'proto format', command: 'buf', args: ['format', '--diff', '--exit-code'], cwd: 'proto' },
  {
    name: 'proto breaking',
    command: 'buf',
    args: ['breaking', '--against', 'baseline.binpb'],
    cwd: 'proto',
    needs: 'proto/baseline.binpb',
  },
  {
    name: 'openapi.json is current',
    command: 'node',
    args: ['--conditions=source', 'gateway/src/write-openapi.ts', '--check'],
    needs: 'gateway/src/write-openapi.ts',
  },
  {
    name: 'unit tests',
    command: 'jest',
    args: ['--selectProjects', 'unit', '--silent', '--reporters=default'],
    env: { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' },
  },
]

/** More at once than cores: half of them wait for their start more than they compute. */
const AT_ONCE = 3

const waiting = STEPS.filter(({ needs }) => !needs || existsSync(join(root, needs)))
const failed: string[] = []

async function worker(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { ok, output, seconds } = await runTool(step)
    console.log(`${ok ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)`)
    if (ok) continue
    failed.push(step.name)
    console.log(`${output.trimEnd()}\n  the command: ${[step.command, ...step.args].join(' ')}\n`)
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, worker))
console.log(failed.length === 0 ? 'All steps passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
