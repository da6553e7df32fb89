// Prints what the seed command of a service reads, for a mesh that runs elsewhere:
//   node --conditions=source deploy/local/src/print-seed.ts admin | kubectl exec -i deploy/admin -- …
import { join } from 'node:path'
import { secretsFrom } from '@svc/mesh'
import { keepSeed } from './keep-seed.ts'
import { localFolder } from './paths.ts'
import { demoOf, seedInputs } from './seed.ts'

const inputs = seedInputs(demoOf({ secrets: secretsFrom(keepSeed(join(localFolder, 'secrets.json'))) }))
const input = inputs[process.argv[2] ?? '']
if (!input) {
  console.error(`usage: print-seed.ts ${Object.keys(inputs).join('|')}`)
  process.exit(1)
}
console.log(JSON.stringify(input))
