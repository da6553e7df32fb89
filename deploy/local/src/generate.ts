// `npm run generate`: the bootstrap has generated the contracts; this adds the public API's description, the client's types and the dashboards.
// With --baseline it also makes today's proto what later changes must not break.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'
import { runTool } from './run-tool.ts'

const steps: Array<{ what: string; command: string; args: string[]; cwd?: string }> = []
const writer = 'gateway/src/write-openapi.ts'
if (existsSync(join(root, writer)))
  steps.push({ what: 'gateway/openapi.json', command: 'node', args: ['--conditions=source', writer] })
steps.push({ what: 'sdk/typescript/src/generated', command: 'node', args: ['sdk/typescript/generate/generate.ts'] })
steps.push({
  what: 'deploy/observability/dashboards',
  command: 'node',
  args: ['deploy/observability/src/write-dashboards.ts'],
})
if (process.argv.includes('--baseline'))
  steps.push({ what: 'proto/baseline.binpb', command: 'buf', args: ['build', '-o', 'baseline.binpb'], cwd: 'proto' })

for (const { what, ...tool } of steps) {
  const { ok, output } = await runTool(tool)
  if (!ok) {
    process.stderr.write(`${what} could not be written:\n${output}`)
    process.exit(1)
  }
  console.log(`wrote ${what}`)
}
