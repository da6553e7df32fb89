// Makes every Secret that an overlay with servers of its own refers to (dev, minimal), of new random bytes, for
// `kubectl create -f -`: not apply, as what seals stored secrets must never be replaced.
//   node --conditions=source deploy/kubernetes/src/make-secrets.ts minimal
//   node --conditions=source deploy/kubernetes/src/make-secrets.ts minimal --certificates   # these alone, for `kubectl apply`
import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import { certificatesFor } from './certificates.ts'
import { findRenderer, overlays, render } from './kustomize.ts'
import { secretsFor } from './secrets.ts'

const [named, ...flags] = process.argv.slice(2)
const overlay = overlays.find((one) => one === named && one !== 'production')
const renderer = findRenderer()
if (!overlay || !renderer) {
  console.error(
    overlay ? 'there is no kustomize, no kubectl and no Go' : 'make-secrets.ts dev|minimal [--certificates]',
  )
  process.exit(1)
}
const manifests = render(renderer, overlay)
const made = flags.includes('--certificates') ? [] : secretsFor(manifests, randomBytes(32).toString('hex'))
console.log([...made, ...certificatesFor(manifests)].map((secret) => stringify(secret)).join('---\n'))
