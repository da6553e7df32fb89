// `npm run generate`: the bootstrap has generated the contracts; this adds the public API's description, the client's types and the dashboards.
// With --baseline it also makes today's proto and public API what later changes must not break.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'
import { runTool } from './run-tool.ts'

const steps: Array<{ what: string; command: string; args: string[]; cwd?: string }> = []
const writer = 'gateway/src/write-openapi.ts'
const isRelease = process.argv.includes('--baseline')
if (existsSync(join(root, writer))) {
  const args = ['--conditions=source', writer, ...(isRelease ? ['--baseline'] : [])]
  steps.push({ what: 'gateway/openapi.json, docs/guides/error-codes.md', command: 'node', args })
}
steps.push({ what: 'sdk/typescript/src/generated', command: 'node', args: ['sdk/typescript/generate/generate.ts'] })
steps.push({
  what: 'deploy/observability/dashboards',
  command: 'node',
  args: ['deploy/observability/src/write-dashboards.ts'],
})
if (isRelease)
  steps.push({ what: 'proto/baseline.binpb', command: 'buf', args: ['build', '-o', 'baseline.binpb'], cwd: 'proto' })

for (const { what, ...tool } of steps) {
  const { ok, output } = await runTool(tool)
  if (!ok) {
    process.stderr.write(`${what} could not be written:\n${output}`)
    process.exit(1)
  }
  console.log(`wrote ${what}`)
}
