import { join, resolve } from 'node:path'
import { goProgram } from '@svc/servers'

export const root = resolve(import.meta.dirname, '../../..')
const toolsFolder = join(root, '.local/tools')

/** The version that devkube/go.mod pins; without it the server would call itself v0.0.0. */
const KUBERNETES = { major: '1', minor: '34', patch: '4' }
const version = `v${KUBERNETES.major}.${KUBERNETES.minor}.${KUBERNETES.patch}`

/** etcd, the control plane, kubelet, kube-proxy and kubectl in one program. undefined where it cannot be made. */
export const findDevkube = (): string | undefined =>
  goProgram({
    name: 'devkube',
    sources: join(root, 'deploy/cluster/devkube'),
    toolsFolder,
    values: {
      'k8s.io/component-base/version.gitVersion': version,
      'k8s.io/component-base/version.gitMajor': KUBERNETES.major,
      'k8s.io/component-base/version.gitMinor': KUBERNETES.minor,
      'k8s.io/client-go/pkg/version.gitVersion': version,
    },
    beforeBuild: () => console.log('Go makes Kubernetes, once: ten minutes and more'),
  })

/** The cluster's name server. undefined where it cannot be made. */
export const findCoreDns = (): string | undefined =>
  goProgram({
    name: 'coredns',
    sources: join(root, 'deploy/cluster/coredns'),
    toolsFolder,
    beforeBuild: () => console.log('Go makes CoreDNS, once: four minutes and more'),
  })
