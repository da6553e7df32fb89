import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { eventually } from '@svc/testing'
import { kubectlOf } from '../../deploy/cluster/src/kubectl.ts'

/** What a rehearsal does to the pods of the mesh on the cluster of KUBECONFIG. */
export const NAMESPACE = 'delivery-dispatch'
const BACK_WITHIN_MS = 180_000
const PROGRAMS = 2 * availableParallelism()
const kubectl = kubectlOf(['kubectl', `--namespace=${NAMESPACE}`])

interface Pod {
  metadata: { name: string }
  status: { containerStatuses?: { ready: boolean }[] }
}

async function podsOf(name: string): Promise<Pod[]> {
  const selector = `app.kubernetes.io/name=${name},app.kubernetes.io/component=process`
  return JSON.parse(await kubectl('get', 'pods', `--selector=${selector}`, '--output=json')).items
}

/** A pod of each at once, as a machine that is gone does it; until as many others are ready, and have been for a while. */
export async function kill(names: readonly string[]): Promise<void> {
  const before = await Promise.all(names.map(async (name) => ({ name, pods: await podsOf(name) })))
  const killed = before.map(({ pods }) => pods[0]?.metadata.name ?? 'none')
  await kubectl('delete', 'pod', ...killed, '--grace-period=0', '--force')
  await Promise.all(before.map(({ name, pods }) => back(name, pods.length, killed)))
}

async function back(name: string, count: number, killed: readonly string[]): Promise<void> {
  await eventually(
    async () => {
      const others = (await podsOf(name)).filter(({ metadata }) => !killed.includes(metadata.name))
      return others.filter(isReady).length >= count
    },
    { timeoutMs: BACK_WITHIN_MS, intervalMs: 500 },
  )
  await kubectl('rollout', 'status', `deployment/${name}`, '--timeout=180s')
}

function isReady({ status }: Pod): boolean {
  return (status.containerStatuses ?? [{ ready: false }]).every(({ ready }) => ready)
}

/** Beside so many programs that want a core each, as a build does; no longer than a pod has to be back. */
export async function computing(work: () => Promise<void>): Promise<void> {
  const endless = '(function on() { for (let n = 0; n < 1e8; n++); setImmediate(on) })()'
  const words = ['-e', `setTimeout(() => process.exit(), ${BACK_WITHIN_MS}); ${endless}`]
  const programs = Array.from({ length: PROGRAMS }, () => spawn(process.execPath, words, { stdio: 'ignore' }))
  try {
    await work()
  } finally {
    for (const program of programs) program.kill('SIGKILL')
  }
}

export async function roll(name: string): Promise<void> {
  await kubectl('rollout', 'restart', `deployment/${name}`)
  await kubectl('rollout', 'status', `deployment/${name}`, '--timeout=300s')
}

/** Until the new one has answered calls; it stays. */
export async function addReplica(name: string): Promise<void> {
  const before = (await podsOf(name)).map(({ metadata }) => metadata.name)
  await kubectl('scale', `deployment/${name}`, `--replicas=${before.length + 1}`)
  await kubectl('rollout', 'status', `deployment/${name}`, '--timeout=300s')
  const added = (await podsOf(name)).find(({ metadata }) => !before.includes(metadata.name))?.metadata.name
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${added}:9100/proxy/metrics`
  await eventually(async () => /^rpc_server_calls_total\{.*\} [1-9]/m.test(await kubectl('get', '--raw', path)), {
    timeoutMs: BACK_WITHIN_MS,
    intervalMs: 1_000,
  })
}

/** As docs/deploy/keys.md has it: first the callee takes both, then the caller signs with the new one, then it stands alone. */
export async function replaceCallerSecret(caller: string, callee: string): Promise<void> {
  const key = `CALLER_SECRET_${caller}_${callee}`.toUpperCase()
  const secret = JSON.parse(await kubectl('get', 'secret', 'callers', '--output=json')) as {
    data: Record<string, string>
  }
  const old = Buffer.from(secret.data[key] ?? '', 'base64').toString()
  const fresh = randomBytes(48).toString('base64')
  const set = (value: string) =>
    kubectl('patch', 'secret', 'callers', `--patch=${JSON.stringify({ stringData: { [key]: value } })}`)
  await set(`${fresh},${old}`)
  await roll(callee)
  await roll(caller)
  await set(fresh)
  await roll(callee)
  await roll(caller)
}
