import { join } from 'node:path'
import { type Child, freePorts, startChild, whenReady } from '@svc/servers'
import { type Kubectl, kubectlOf } from './kubectl.ts'
import { makePki, type Pki } from './pki.ts'

export const SERVICE_NETWORK = '10.96.0.0/16'
const FIRST_SERVICE = '10.96.0.1'
const NODE = 'node1'

interface Options {
  /** The program that findDevkube answers. */
  devkube: string
  folder: string
  /** Where pods reach the server; without it, nothing but this machine does. */
  address?: string
}

export interface ApiServer {
  kubectl: Kubectl
  pki: Pki
  node: { name: string; address: string }
  /** Starts one more part of devkube, which ends before those that were started before it. */
  start(part: string, args: readonly string[], ready?: () => Promise<boolean>): Promise<void>
  stop(): Promise<void>
}

/** etcd and an API server that admits as a cluster does, on loopback ports. */
export async function startApiServer({ devkube, folder, address }: Options): Promise<ApiServer> {
  const [client, peer, secure] = (await freePorts(3)) as [number, number, number]
  const url = `https://127.0.0.1:${secure}`
  const node = { name: NODE, address: address ?? '127.0.0.1' }
  const names = [`IP:${FIRST_SERVICE}`, ...(address ? [`IP:${address}`] : [])]
  const pki = makePki({ folder: join(folder, 'pki'), url, names, node })
  const kubectl = kubectlOf([
    devkube,
    'kubectl',
    `--kubeconfig=${pki.file('admin.conf')}`,
    `--cache-dir=${join(folder, 'discovery')}`,
  ])
  const children: Child[] = []

  async function start(part: string, args: readonly string[], ready = async () => true): Promise<void> {
    const logFile = join(folder, `log/${part}.log`)
    const child = await startChild({
      name: part,
      command: devkube,
      args: [part, ...args],
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      logFile,
      pidFile: join(folder, `${part}.pid`),
    })
    children.push(child)
    await whenReady(child, logFile, ready)
  }
  /** One after the other: an API server without its etcd lingers. */
  async function stop(): Promise<void> {
    for (const child of children.splice(0).reverse()) await child.stop()
  }

  const [etcd, itsPeer] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  try {
    await start('etcd', [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcd}`,
      `--advertise-client-urls=${etcd}`,
      `--listen-peer-urls=${itsPeer}`,
      `--initial-advertise-peer-urls=${itsPeer}`,
      `--initial-cluster=default=${itsPeer}`,
      // It ends with the run.
      '--unsafe-no-fsync',
    ])
    await start(
      'kube-apiserver',
      [
        `--etcd-servers=${etcd}`,
        `--secure-port=${secure}`,
        `--advertise-address=${node.address}`,
        ...(address ? [] : ['--bind-address=127.0.0.1', '--endpoint-reconciler-type=none']),
        `--service-cluster-ip-range=${SERVICE_NETWORK}`,
        `--tls-cert-file=${pki.file('apiserver.crt')}`,
        `--tls-private-key-file=${pki.file('apiserver.key')}`,
        `--client-ca-file=${pki.file('ca.crt')}`,
        `--service-account-key-file=${pki.file('service-accounts.pub')}`,
        `--service-account-signing-key-file=${pki.file('service-accounts.key')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        '--authorization-mode=Node,RBAC',
        '--enable-admission-plugins=NodeRestriction',
        `--kubelet-client-certificate=${pki.file('kubelet-client.crt')}`,
        `--kubelet-client-key=${pki.file('kubelet-client.key')}`,
        `--kubelet-certificate-authority=${pki.file('ca.crt')}`,
        // The name of the node is in no DNS.
        '--kubelet-preferred-address-types=InternalIP',
      ],
      () => kubectl('get', '--raw', '/readyz').then(() => true),
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { kubectl, pki, node, start, stop }
}
