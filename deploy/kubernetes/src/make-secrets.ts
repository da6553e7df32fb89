// Makes every Secret that an overlay with servers of its own refers to (dev, minimal), of new random bytes, for
// `kubectl create -f -`: not apply, as what seals stored secrets must never be replaced.
//   node --conditions=source deploy/kubernetes/src/make-secrets.ts minimal
// One part alone, for `kubectl apply -f -`: certificates, or who may come to Redis and Kafka and what comes as whom.
//   node --conditions=source deploy/kubernetes/src/make-secrets.ts minimal --certificates
//   node --conditions=source deploy/kubernetes/src/make-secrets.ts minimal --users
import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import { certificatesFor } from './certificates.ts'
import { findRenderer, overlays, render } from './kustomize.ts'
import type { Manifest } from './manifest.ts'
import { type Secret, secretsFor, usersFor } from './secrets.ts'

const seed = randomBytes(32).toString('hex')
const PARTS: Readonly<Record<string, (manifests: readonly Manifest[]) => Secret[]>> = {
  '': (manifests) => [...secretsFor(manifests, seed), ...certificatesFor(manifests)],
  '--certificates': certificatesFor,
  '--users': (manifests) => usersFor(manifests, seed),
}

const [named, part = ''] = process.argv.slice(2)
const overlay = overlays.find((one) => one === named && one !== 'production')
const make = PARTS[part]
const renderer = findRenderer()
if (!overlay || !make || !renderer) {
  console.error(
    renderer ? 'make-secrets.ts dev|minimal [--certificates|--users]' : 'there is no kustomize, no kubectl and no Go',
  )
  process.exit(1)
}
console.log(
  make(render(renderer, overlay))
    .map((secret) => stringify(secret))
    .join('---\n'),
)
