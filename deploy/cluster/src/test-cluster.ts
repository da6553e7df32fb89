// `npm run test:cluster`: every overlay on a real API server, then the mesh on a real cluster: that of KUBECONFIG, or one of one
// node, made for it and ended again. `-- manifests` ends after the first. Ends with 1 where something is not as it should be;
// says what could not be tried here.
//   -- reload   in place of the journey: how long a change takes from its save to its answer, in a mesh as Tilt runs it
//   -- keep     in place of it nothing: the node stays; `-- enter COMMAND ...` runs a command in it, with its KUBECONFIG
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fetchKafkaJars, fetchKafkaTools } from '@svc/servers'
import { enterIsolated, runIsolated, whyNoNode } from './isolation.ts'
import { environmentOf } from './kubectl.ts'
import { findCoreDns, findDevkube, root } from './programs.ts'
import { applyOverlays } from './strict-apply.ts'

const TAKES_GO = 'it takes Go on the PATH, and its proxy'
const INTERRUPTED = 130
const FOLDER = join(root, '.local/test-cluster')
/** What is done with a cluster. */
const PROGRAMS: Readonly<Record<string, string>> = {
  journey: 'tests/rehearsals/cluster.ts',
  reload: 'tests/rehearsals/reload.ts',
  keep: 'deploy/cluster/src/keep.ts',
}
const [mode = 'journey', ...words] = process.argv.slice(2)
const script = (path: string) => [process.execPath, '--conditions=source', join(root, path)] as const

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopping.abort())
process.exitCode = await test(stopping.signal).catch((error: Error) => {
  if (!stopping.signal.aborted) throw error
  return INTERRUPTED
})

async function test(signal: AbortSignal): Promise<number> {
  if (mode === 'enter') return enter()
  if (mode === 'reload' && process.env['KUBECONFIG']) return run(script('tests/rehearsals/reload.ts'))
  const devkube = findDevkube()
  if (mode === 'keep' || mode === 'reload') return onNode(devkube, signal)
  if (devkube) await applyOverlays(devkube, signal)
  else notTested('the manifests on an API server', TAKES_GO)
  if (mode === 'manifests') return 0
  if (process.env['KUBECONFIG']) return run(script('tests/rehearsals/cluster.ts'))
  return onNode(devkube, signal)
}

async function onNode(devkube: string | undefined, signal: AbortSignal): Promise<number> {
  const program = PROGRAMS[mode]
  if (!program)
    throw new Error(`there is no ${mode}: npm run test:cluster [-- manifests|reload|keep|enter COMMAND ...]`)
  const why = whyNoNode()
  const coredns = devkube && !why ? findCoreDns() : undefined
  if (why || !devkube || !coredns) return notTested('pods', why ?? TAKES_GO)
  // From in there no registry can be reached.
  for (const fetch of [fetchKafkaJars, fetchKafkaTools]) await fetch(join(root, '.local/cache'), console.log)
  const isBuilt = run(script('deploy/images/src/build.ts')) === 0
  signal.throwIfAborted()
  if (!isBuilt) return 1
  const inside = [...script('deploy/cluster/src/inside.ts'), FOLDER, devkube, coredns]
  return runIsolated({ command: [...inside, mode, ...script(program)], folder: FOLDER, signal })
}

/** As root of that cluster. */
function enter(): number {
  const way = enterIsolated(FOLDER)
  if (!way) throw new Error('there is no cluster: npm run test:cluster -- keep')
  return run([...way, ...words], { ...process.env, ...environmentOf(FOLDER) })
}

function run([program, ...its]: readonly [string, ...string[]], env = process.env): number {
  return spawnSync(program, its, { stdio: ['ignore', 'inherit', 'inherit'], env }).status ?? 1
}

function notTested(what: string, why: string): number {
  console.warn(`NOT TESTED: ${what}: ${why}`)
  return 0
}
