import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DeliveryDispatch } from '@delivery-dispatch/sdk'
import { eventually } from '@svc/testing'
import { Agent } from 'undici'
import { kubectlOf } from '../../deploy/cluster/src/kubectl.ts'
import { watchFolders } from '../../deploy/images/src/watch-folders.ts'
import { callsOf, findGraph } from '../../deploy/kubernetes/src/tilt-graph.ts'
import { percentile } from '../bench/report.ts'
import { Api, signUp } from '../journeys/merchant.ts'

/**
 * How long a change takes from its save to the answer that shows it, in a mesh as Tilt runs it: a source is changed and saved;
 * what compiles it is the Tiltfile's; what came out is copied into the container and the process told of it by the steps that
 * Tilt takes, where the Tiltfile says. On the cluster of KUBECONFIG (`npm run test:cluster -- reload`), or with `local` what
 * `tilt up -- --local` runs, in a clone that is not running. First each change waits until the machine is at rest, as it is once
 * somebody has looked at the one before; then each follows at once. Ends with 1 where the median of the first is two seconds or
 * more.
 *
 *   node --conditions=source tests/rehearsals/reload.ts [local] [changes]
 */
const GOAL_MS = 2_000
const CHANGES = Number(process.argv.at(-1)) || 7
/** How long Tilt waits for further files before it does anything. */
const TILT_RESTS_MS = 200
const TILT_UPDATES = 3
const ASKS_EVERY_MS = process.argv[2] === 'local' ? 150 : 40
const PATIENCE_MS = 60_000
/** So much of a core has had nothing to do for so long, or has been waited for for so long. */
const REST = { cores: 1, forMs: 2_000, withinMs: 30_000 }
const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const kubectl = kubectlOf(['kubectl', '--namespace=delivery-dispatch'])

/** A source, what of it is changed, and into what; each shows in the answer to a question about an order that is not there. */
const EDITS = [
  {
    what: 'a use case of order',
    file: 'services/order/src/use-cases/get-order.ts',
    text: 'readOrder(reads, scope, orderId)',
    changed: (mark: string) =>
      `readOrder(reads, scope, orderId).catch((error) => { throw Object.assign(error, { message: '${mark}' }) })`,
  },
  {
    what: 'a library of all seven',
    file: 'libs/errors/src/table.ts',
    text: "'There is no such resource, or none that this credential may see.'",
    changed: (mark: string) => `'${mark}'`,
  },
]

interface Update {
  image: string
  syncs: { from: string; to: string }[]
  run: string
}

for (const { file, text } of EDITS)
  if (!readFileSync(join(root, file), 'utf8').includes(text)) throw new Error(`${file} does not say ${text}`)
const isLocal = process.argv[2] === 'local'
const graph = findGraph()
if (!graph) throw new Error('it takes Go, which reads the Tiltfile')
const calls = callsOf(graph, isLocal ? ['--local'] : [])
const stops: (() => unknown)[] = []
let known: Api | undefined
let addresses = 0
// Whatever ends it, the sources are as they were.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const stop of stops.toReversed()) stop()
    process.exit(1)
  })
try {
  const baseUrl = isLocal ? await startLocally() : await startOnCluster()
  for (const edit of EDITS) {
    const median = await measure(edit, 'at rest', baseUrl)
    if (median >= GOAL_MS) process.exitCode = 1
    await measure(edit, 'one after the other', baseUrl)
  }
} finally {
  for (const stop of stops.toReversed()) await stop()
}

/** Who asks: on this machine another merchant from another address each time, as a key may ask sixty times a minute. */
async function asker(baseUrl: string): Promise<Api> {
  if (isLocal) {
    addresses += 1
    // Of a library all processes start anew, and who answered first may be among others that do not yet.
    return (await eventually(() => signUp(baseUrl, `127.0.1.${addresses}`), { intervalMs: 1_000 })).test
  }
  known ??= await onCluster(baseUrl)
  return known
}

async function onCluster(baseUrl: string): Promise<Api> {
  const { api_key } = await new DeliveryDispatch({ baseUrl }).signUpMerchant({
    email: `owner-${randomUUID()}@example.com`,
    password: `correct horse ${randomUUID()}`,
    business_name: 'Reload Kitchen',
    website: '',
  })
  return new Api(baseUrl, { authorization: `Bearer ${api_key}` }, new Agent())
}

/** The median of the changes, in milliseconds. */
async function measure(
  { what, file, text, changed }: (typeof EDITS)[number],
  how: 'at rest' | 'one after the other',
  baseUrl: string,
): Promise<number> {
  const path = join(root, file)
  const before = readFileSync(path, 'utf8')
  const restore = () => writeFileSync(path, before)
  stops.push(restore)
  const took: number[] = []
  for (let nth = 1; nth <= CHANGES; nth++) {
    const mark = `changed ${nth} times`
    const api = await asker(baseUrl)
    if (how === 'at rest') await untilRest()
    const saved = performance.now()
    writeFileSync(path, before.replace(text, changed(mark)))
    await until(async () => (await answer(api)).includes(mark))
    took.push(performance.now() - saved)
  }
  restore()
  const api = await asker(baseUrl)
  await until(async () => !(await answer(api)).includes('changed'))
  const seconds = took.toSorted((a, b) => a - b).map((ms) => (ms / 1_000).toFixed(2))
  const median = percentile(took, 0.5)
  console.log(`${what} (${file}), ${how}: median ${(median / 1_000).toFixed(2)} s of ${seconds.join(', ')}`)
  return median
}

async function untilRest(): Promise<void> {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const giveUpAt = performance.now() + REST.withinMs
  for (let isAtRest = false; !isAtRest && performance.now() < giveUpAt; ) {
    const idle = idleMs()
    await new Promise((done) => setTimeout(done, REST.forMs))
    isAtRest = idleMs() - idle >= REST.cores * REST.forMs
  }
}

async function answer(api: Api): Promise<string> {
  const reply = await api.get(`/v1/orders/${randomUUID()}`).catch(() => undefined)
  if (reply?.status === 429) throw new Error('the limit of the key is used up: RATE_TEST_KEY_PER_MINUTE')
  return JSON.stringify(reply?.body ?? '')
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('the change was not answered with')
    await new Promise((done) => setTimeout(done, ASKS_EVERY_MS))
  }
}

/** A command of the Tiltfile, as Tilt runs it; resolves once that holds of what it has printed. */
async function serve(name: string, isReady: (printed: string) => boolean): Promise<void> {
  const { named } = calls.find(({ args, named }) => args[0] === name && named['serve_cmd']) ?? {}
  if (!named) throw new Error(`the Tiltfile does not serve ${name}`)
  const child = spawn('sh', ['-c', String(named['serve_cmd'])], {
    cwd: String(named['serve_dir']),
    env: { ...process.env, ...(named['serve_env'] as object) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('exit', done))
  stops.push(() => child.kill('SIGTERM') && ended)
  let printed = ''
  child.stdout.on('data', (bytes) => {
    printed += bytes
  })
  await until(async () => isReady(printed))
}

/** What the Tiltfile runs without a cluster, in its order. */
async function startLocally(): Promise<string> {
  const ready = join(root, '.local/servers.ready')
  rmSync(ready, { force: true })
  await serve('servers', () => existsSync(ready))
  const { cmd, dir } = calls.find(({ args }) => args[0] === 'migrations')!.named
  await run('sh', ['-c', String(cmd)], { cwd: String(dir) })
  const processes = calls.filter(({ args, named }) => named['serve_cmd'] && args[0] !== 'servers')
  // The double of third parties says where it is, and not that it has started.
  await Promise.all(processes.map(({ args }) => serve(String(args[0]), (printed) => /started|on http:/.test(printed))))
  const printEnv = ['--conditions=source', join(root, 'deploy/local/src/print-env.ts'), 'gateway']
  const port = /^export PORT='(\d+)'$/m.exec((await run(process.execPath, printEnv)).stdout)?.[1]
  return `http://127.0.0.1:${port}`
}

async function startOnCluster(): Promise<string> {
  await kubectl('apply', '-f', join(root, 'deploy/kubernetes/base/namespace.yaml'))
  const makeSecrets = ['--conditions=source', join(root, 'deploy/kubernetes/src/make-secrets.ts'), 'dev']
  // Once, as the Tiltfile has it: a node that is kept may be measured again.
  if (!(await kubectl('get', 'secret', 'callers', '--ignore-not-found')))
    kubectl.given(execFileSync(process.execPath, makeSecrets, { encoding: 'utf8' }), 'create', '-f', '-')
  execFileSync(join(root, 'deploy/kubernetes/rollout.sh'), [join(root, 'deploy/cluster/live')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log('every rollout is done')
  await serve('compile', (printed) => printed.includes('what changes is compiled'))
  const updates = calls.filter(({ call }) => call === 'custom_build').map(({ args, named }) => updateOf(args, named))
  const distFolders = new Set(updates.flatMap(({ syncs }) => syncs.map(({ from }) => from)))
  const pods = new Map(await Promise.all(updates.map(async ({ image }) => [image, await podOf(image)] as const)))
  let settling: NodeJS.Timeout | undefined
  const waiting = new Set<string>()
  const changed = (file: string): void => {
    waiting.add(file)
    clearTimeout(settling)
    settling = setTimeout(() => {
      const files = [...waiting]
      waiting.clear()
      updateAll(updates, pods, files).catch((error: unknown) => console.error(error))
    }, TILT_RESTS_MS)
  }
  stops.push(watchFolders([...distFolders], changed))
  return `http://${await kubectl('get', 'service', 'gateway', '--output=jsonpath={.spec.clusterIP}')}`
}

function updateOf(args: unknown[], named: Record<string, unknown>): Update {
  const steps = named['live_update'] as string[]
  const syncs = steps
    .filter((step) => step.startsWith('sync '))
    .map((step) => step.split(' ') as [string, string, string])
  return {
    image: String(args[0]),
    syncs: syncs.map(([, from, to]) => ({ from, to })),
    run: String(steps.find((step) => step.startsWith('run '))).slice('run '.length),
  }
}

/** As many at once as Tilt does. */
async function updateAll(updates: readonly Update[], pods: ReadonlyMap<string, string>, files: readonly string[]) {
  const left = [...updates]
  const one = async () => {
    for (let next = left.shift(); next; next = left.shift()) await updateLive(next, pods.get(next.image) ?? '', files)
  }
  await Promise.all(Array.from({ length: TILT_UPDATES }, one))
}

function podOf(image: string): Promise<string> {
  const selector = `app.kubernetes.io/name=${image.split('/')[1]},app.kubernetes.io/component=process`
  return kubectl('get', 'pods', `--selector=${selector}`, '--output=jsonpath={.items[0].metadata.name}')
}

/** What Tilt does without a Docker engine of the node: tar, and then the command, in the container. */
async function updateLive({ syncs, run: command }: Update, pod: string, files: readonly string[]): Promise<void> {
  const moved = files.flatMap((file) => {
    const sync = syncs.find(({ from }) => file.startsWith(`${from}/`))
    return sync ? [{ file, to: `${sync.to}${file.slice(sync.from.length)}`.slice(1) }] : []
  })
  if (moved.length === 0) return
  const renamed = moved.map(({ file, to }) => `--transform=s,^${file.slice(1)}$,${to},`)
  const { stdout } = await run('tar', ['-C', '/', ...renamed, '-cf', '-', ...moved.map(({ file }) => file.slice(1))], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  const words = ['--namespace=delivery-dispatch', 'exec', '-i', pod, '--container=process', '--', 'tar', '-C', '/']
  const copying = run('kubectl', [...words, '-xf', '-'])
  copying.child.stdin?.end(stdout)
  await copying
  await kubectl('exec', pod, '--container=process', '--', 'sh', '-c', command)
}
