// `npm run test:cluster`: what a real API server says to the manifests. Ends with 1 where it refuses one.
import { findDevkube } from './programs.ts'
import { applyOverlays } from './strict-apply.ts'

const devkube = findDevkube()
if (!devkube) {
  console.warn('NOT TESTED: the manifests on an API server. It takes Go on the PATH, and its proxy')
  process.exit(0)
}
await applyOverlays(devkube)
