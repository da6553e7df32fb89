// `npm run test:cluster`: every overlay on a real API server, then a real cluster of one node, made for it and ended again.
// `-- manifests` ends after the first. Ends with 1 where something is not as it should be; says what could not be tried here.
import { join } from 'node:path'
import { runIsolated, whyNoNode } from './isolation.ts'
import { findCoreDns, findDevkube, root } from './programs.ts'
import { applyOverlays } from './strict-apply.ts'

process.exitCode = await test()

async function test(): Promise<number> {
  const devkube = findDevkube()
  if (devkube) await applyOverlays(devkube)
  else notTested('the manifests on an API server', 'it takes Go on the PATH, and its proxy')
  if (process.argv[2] === 'manifests') return 0

  const why = whyNoNode()
  const coredns = devkube && !why ? findCoreDns() : undefined
  if (why || !devkube || !coredns) return notTested('pods', why ?? 'it takes Go on the PATH, and its proxy')
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopping.abort())
  const folder = join(root, '.local/test-cluster')
  const inside = [process.execPath, '--conditions=source', join(import.meta.dirname, 'inside.ts')]
  const look = ['kubectl', 'get', 'nodes,pods', '--all-namespaces', '--output=wide']
  return runIsolated({ command: [...inside, folder, devkube, coredns, ...look], folder, signal: stopping.signal })
}

function notTested(what: string, why: string): number {
  console.warn(`NOT TESTED: ${what}: ${why}`)
  return 0
}
