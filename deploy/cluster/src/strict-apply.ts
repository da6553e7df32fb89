import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { type ApiServer, startApiServer } from './api-server.ts'
import type { Kubectl } from './kubectl.ts'
import { root } from './programs.ts'

const OVERLAYS = ['dev', 'live', 'minimal', 'production']
/** Of operators whose kinds no plain API server knows. */
const OPERATORS = ['cert-manager.io', 'external-secrets.io', 'monitoring.coreos.com']
/** An unknown field is refused, and so is what a namespace of restricted pods would warn of. */
const STRICTLY = ['apply', '--server-side', '--validate=strict', '--warnings-as-errors', '-f', '-']

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec?: { template?: { spec?: object } }
}

/**
 * Applies every overlay to a real API server on loopback and prints what it took; rejects with what it refused. Two manifests
 * that must be refused show that it looks.
 */
export async function applyOverlays(devkube: string, signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'api-server-'))
  try {
    await withApiServer({ devkube, folder }, async ({ kubectl }) => {
      for (const overlay of OVERLAYS) {
        signal.throwIfAborted()
        await applyOne(kubectl, overlay)
      }
      await refusals(kubectl)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function withApiServer(options: { devkube: string; folder: string }, work: (server: ApiServer) => Promise<void>) {
  const since = performance.now()
  const server = await startApiServer(options)
  console.log(`API server ready after ${seconds(since)} s`)
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}

async function applyOne(kubectl: Kubectl, overlay: string): Promise<void> {
  const since = performance.now()
  const all = await rendered(kubectl, overlay)
  const [taken, foreign] = [all.filter((one) => !isForeign(one)), all.filter(isForeign)]
  // In the order in which they stand: the namespace first, whose rules hold for the rest.
  kubectl.given(listOf(taken), ...STRICTLY)
  const unknown = [...new Set(foreign.map(({ kind }) => kind))].join(', ')
  console.log(
    `${overlay}: ${taken.length} objects taken (${seconds(since)} s)${unknown && `; not tried: ${foreign.length} of operators (${unknown})`}`,
  )
  // A Job or a StatefulSet of one overlay cannot become that of another.
  const removable = taken.filter(({ kind }) => kind !== 'Namespace')
  kubectl.given(listOf(removable), 'delete', '--cascade=background', '--wait=false', '-f', '-')
}

/** Each is a Deployment of dev with one thing wrong. */
async function refusals(kubectl: Kubectl): Promise<void> {
  const deployment = (await rendered(kubectl, 'dev')).find(({ kind }) => kind === 'Deployment')
  if (!deployment) throw new Error('dev has no Deployment')
  const pod = { ...deployment.spec?.template?.spec }
  const withPod = (spec: object) => ({
    ...deployment,
    spec: { ...deployment.spec, template: { ...deployment.spec?.template, spec } },
  })
  refused(kubectl, 'a misspelt field', withPod({ ...pod, terminationGracePeriod: 40 }), 'terminationGracePeriod')
  refused(kubectl, 'a pod of the host', withPod({ ...pod, hostNetwork: true }), 'hostNetwork')
}

function refused(kubectl: Kubectl, what: string, manifest: object, word: string): void {
  let said: string | undefined
  try {
    kubectl.given(JSON.stringify(manifest), ...STRICTLY)
  } catch (error) {
    said = String((error as { stderr?: unknown }).stderr)
  }
  if (!said?.includes(word)) throw new Error(`${what} was not refused: ${said ?? 'it was taken'}`)
  console.log(`${what} is refused`)
}

async function rendered(kubectl: Kubectl, overlay: string): Promise<Manifest[]> {
  const text = await kubectl('kustomize', join(root, 'deploy/kubernetes/overlays', overlay))
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

const isForeign = ({ apiVersion }: Manifest): boolean => OPERATORS.some((group) => apiVersion.startsWith(`${group}/`))
const listOf = (items: readonly Manifest[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1)
