// Prints what one process of the local run finds in its environment, as lines that a shell can evaluate.
//   node --conditions=source deploy/local/src/print-env.ts order
import { environmentOf } from '@svc/mesh'
import { runningSettings } from './local-settings.ts'

const name = process.argv[2]
const { mesh } = runningSettings()
const found = mesh.processes.find((candidate) => candidate.name === name)
if (!found) {
  console.error(`usage: print-env.ts ${mesh.processes.map((candidate) => candidate.name).join('|')}`)
  process.exit(1)
}
const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`
for (const [key, value] of Object.entries(environmentOf(found, mesh))) console.log(`export ${key}=${quoted(value)}`)
