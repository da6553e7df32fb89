import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DAYS = '2'

/** Who speaks to the API server, by the name of its files. The groups are Kubernetes' own. */
const CLIENTS = {
  admin: '/O=system:masters/CN=admin',
  'kubelet-client': '/O=system:masters/CN=apiserver-kubelet-client',
  'controller-manager': '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  proxy: '/CN=system:kube-proxy',
} as const

export interface Pki {
  /** The path of `<name>.crt`, `<name>.key`, `<name>.conf`, … */
  file(name: string): string
}

interface Wanted {
  folder: string
  /** The API server, as its clients reach it. */
  url: string
  /** More names and addresses of the API server, as openssl spells them: `DNS:…`, `IP:…`. */
  names: readonly string[]
  node: { name: string; address: string }
}

/** Keys, certificates and a kubeconfig for each part of a cluster, of an authority of its own. */
export function makePki({ folder, url, names, node }: Wanted): Pki {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const newKey = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`)
  const file = (name: string) => join(folder, name)

  newKey('ca')
  openssl('req', '-x509', '-new', '-key', 'ca.key', '-subj', '/CN=cluster', '-days', DAYS, '-out', 'ca.crt')
  newKey('service-accounts')
  openssl('ec', '-in', 'service-accounts.key', '-pubout', '-out', 'service-accounts.pub')

  function certify(name: string, subject: string, alternatives: readonly string[] = []): void {
    const also = alternatives.length > 0 ? `subjectAltName=${alternatives.join(',')}\n` : ''
    writeFileSync(file('extensions'), `extendedKeyUsage=clientAuth,serverAuth\n${also}`)
    newKey(name)
    openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', 'request')
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', DAYS, '-extfile', 'extensions']
    openssl('x509', '-req', '-in', 'request', ...signed, '-out', `${name}.crt`)
  }

  function configure(name: string): void {
    const cluster = { server: url, 'certificate-authority': file('ca.crt') }
    const user = { 'client-certificate': file(`${name}.crt`), 'client-key': file(`${name}.key`) }
    const text = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'cluster', cluster }],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: 'cluster', user: name } }],
      'current-context': name,
    }
    writeFileSync(file(`${name}.conf`), JSON.stringify(text), { mode: 0o600 })
  }

  certify('apiserver', '/CN=kube-apiserver', ['DNS:localhost', 'DNS:kubernetes.default.svc', 'IP:127.0.0.1', ...names])
  certify('kubelet', `/O=system:nodes/CN=system:node:${node.name}`, [`DNS:${node.name}`, `IP:${node.address}`])
  configure('kubelet')
  for (const [name, subject] of Object.entries(CLIENTS)) {
    certify(name, subject)
    configure(name)
  }
  return { file }
}
