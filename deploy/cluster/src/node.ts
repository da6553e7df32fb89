import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild, whenReady } from '@svc/servers'
import type { ApiServer } from './api-server.ts'

const POD_NETWORK = '10.85.0.0/24'
const DNS_ADDRESS = '10.96.0.10'

/** The node's own link: a bridge of one end of a pair of cables, as no route leads out. Its address is the node's. */
export function makeNetwork(address: string): void {
  const script = `
    ip link set lo up
    ip link add node type bridge
    ip addr add ${address}/24 dev node
    ip link set node up
    ip link add node-a type veth peer name node-b
    ip link set node-a master node up
    ip link set node-b up
    ip route add default via ${address} dev node
    sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1`
  execFileSync('sh', ['-ec', script], { stdio: 'inherit' })
}

/** containerd, which takes these archives of images; answers it and its socket. */
export async function startContainerd(folder: string, archives: readonly string[]) {
  const home = join(folder, 'containerd')
  const socket = join(home, 'containerd.sock')
  mkdirSync(join(home, 'cni'), { recursive: true })
  const bridge = {
    type: 'bridge',
    bridge: 'pods',
    isGateway: true,
    hairpinMode: true,
    ipam: { type: 'host-local', ranges: [[{ subnet: POD_NETWORK }]], routes: [{ dst: '0.0.0.0/0' }] },
  }
  const network = { cniVersion: '0.4.0', name: 'pods', plugins: [bridge] }
  writeFileSync(join(home, 'cni/10-pods.conflist'), JSON.stringify(network))
  writeFileSync(join(home, 'config.toml'), configuration(home, socket))
  const logFile = join(folder, 'log/containerd.log')
  const child = await startChild({
    name: 'containerd',
    command: 'containerd',
    args: ['--config', join(home, 'config.toml')],
    cwd: home,
    env: { PATH: process.env['PATH'] },
    logFile,
    pidFile: join(folder, 'containerd.pid'),
  })
  const ctr = (...words: string[]) => execFileSync('ctr', ['--address', socket, ...words], { stdio: 'pipe' })
  await whenReady(child, logFile, async () => ctr('version').length > 0)
  for (const archive of archives) {
    ctr('--namespace', 'k8s.io', 'images', 'import', archive)
    rmSync(archive)
  }
  return { child, socket }
}

const configuration = (home: string, socket: string) => `version = 2
root = "${home}/root"
state = "${home}/state"
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/delivery-dispatch/pause:local"
  # A root that may not lower it would start no pod.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${home}/cni"
`

/** The rest of a cluster of one node, which takes pods when this resolves. */
export async function startNode(server: ApiServer, folder: string, containerd: { child: Child; socket: string }) {
  const { pki, node, kubectl } = server
  await server.start('kube-controller-manager', [
    `--kubeconfig=${pki.file('controller-manager.conf')}`,
    `--service-account-private-key-file=${pki.file('service-accounts.key')}`,
    `--root-ca-file=${pki.file('ca.crt')}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--secure-port=0',
  ])
  await server.start('kube-scheduler', [
    `--kubeconfig=${pki.file('scheduler.conf')}`,
    '--leader-elect=false',
    '--secure-port=0',
  ])
  const kubelet = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: pki.file('ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: `unix://${containerd.socket}`,
    tlsCertFile: pki.file('kubelet.crt'),
    tlsPrivateKeyFile: pki.file('kubelet.key'),
    volumePluginDir: join(folder, 'volume-plugins'),
    // The disk of this machine is not the node's alone, and images cannot be pulled again.
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 100,
  }
  const proxy = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: pki.file('proxy.conf') },
    clusterCIDR: POD_NETWORK,
    hostnameOverride: node.name,
    mode: 'iptables',
    // What is the whole machine's stays as it is.
    conntrack: { maxPerCore: 0, min: 0, tcpCloseWaitTimeout: '0s', tcpEstablishedTimeout: '0s' },
  }
  const file = (name: string, value: object) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  await server.start('kube-proxy', [`--config=${file('proxy.json', proxy)}`])
  await server.start(
    'kubelet',
    [
      `--config=${file('kubelet.json', kubelet)}`,
      `--kubeconfig=${pki.file('kubelet.conf')}`,
      `--hostname-override=${node.name}`,
      `--node-ip=${node.address}`,
      `--root-dir=${join(folder, 'kubelet')}`,
      `--cert-dir=${join(folder, 'kubelet-certificates')}`,
    ],
    async () => (await kubectl('wait', `node/${node.name}`, '--for=condition=Ready', '--timeout=2s')) !== '',
  )
}
