// `npm run test:cluster`: every overlay on a real API server, then the mesh on a real cluster: that of KUBECONFIG, or one of one
// node, made for it and ended again. `-- manifests` ends after the first. Ends with 1 where something is not as it should be;
// says what could not be tried here.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { runIsolated, whyNoNode } from './isolation.ts'
import { findCoreDns, findDevkube, root } from './programs.ts'
import { applyOverlays } from './strict-apply.ts'

const TAKES_GO = 'it takes Go on the PATH, and its proxy'
const INTERRUPTED = 130
const script = (path: string) => [process.execPath, '--conditions=source', join(root, path)] as const

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopping.abort())
process.exitCode = await test(stopping.signal).catch((error: Error) => {
  if (!stopping.signal.aborted) throw error
  return INTERRUPTED
})

async function test(signal: AbortSignal): Promise<number> {
  const devkube = findDevkube()
  if (devkube) await applyOverlays(devkube, signal)
  else notTested('the manifests on an API server', TAKES_GO)
  if (process.argv[2] === 'manifests') return 0
  if (process.env['KUBECONFIG']) return run(script('tests/rehearsals/cluster.ts'))

  const why = whyNoNode()
  const coredns = devkube && !why ? findCoreDns() : undefined
  if (why || !devkube || !coredns) return notTested('pods', why ?? TAKES_GO)
  const isBuilt = run(script('deploy/images/src/build.ts')) === 0
  signal.throwIfAborted()
  if (!isBuilt) return 1
  const folder = join(root, '.local/test-cluster')
  const inside = [...script('deploy/cluster/src/inside.ts'), folder, devkube, coredns]
  return runIsolated({ command: [...inside, ...script('tests/rehearsals/cluster.ts')], folder, signal })
}

function run([program, ...words]: readonly [string, ...string[]]): number {
  return spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
}

function notTested(what: string, why: string): number {
  console.warn(`NOT TESTED: ${what}: ${why}`)
  return 0
}
