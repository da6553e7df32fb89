import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { type Secret, secretOf } from './secrets.ts'

const DAYS = '365'
/** The Secret with the authority of the servers, for all who go to them. */
const SERVER_AUTHORITY = 'server-authority'

/**
 * The Secrets with the certificates that an overlay mounts and that nobody in it makes. Those of processes and those of
 * servers are signed by an authority each, whose key is forgotten: the next ones are all of them again, by others. A
 * certificate bears the name of its process or server alone.
 */
export function certificatesFor(manifests: readonly Manifest[]): Secret[] {
  const made = new Set(manifests.filter(({ kind }) => kind === 'Certificate').map(({ spec }) => spec?.secretName))
  const wanted = (isOfServers: boolean): string[] => {
    const mounted = manifests
      .filter(({ kind }) => (kind === 'StatefulSet') === isOfServers)
      .flatMap(({ spec }) => spec?.template?.spec.volumes ?? [])
      .flatMap(({ secret }) => secret?.secretName ?? [])
    return [...new Set(mounted)].filter((name) => name.endsWith('-tls') && !made.has(name))
  }
  const processes = wanted(false)
  const servers = wanted(true)
  return [
    ...(processes.length > 0 ? signed('delivery-dispatch mesh', processes).certificates : []),
    ...(servers.length > 0 ? ofServers(servers) : []),
  ]
}

function ofServers(names: readonly string[]): Secret[] {
  const { authority, certificates } = signed('delivery-dispatch servers', names)
  return [secretOf(SERVER_AUTHORITY, { 'ca.crt': authority }), ...certificates]
}

/** A new authority, and for each `<host>-tls` a certificate that it has signed. */
function signed(authority: string, names: readonly string[]): { authority: string; certificates: Secret[] } {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  // As PKCS#8, which Kafka takes alone.
  const newKey = (file: string) =>
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    newKey('ca.key')
    openssl('req', '-x509', '-new', '-key', 'ca.key', '-subj', `/CN=${authority}`, '-days', DAYS, '-out', 'ca.crt')
    const certificates = names.map((name): Secret => {
      const host = name.replace(/-tls$/, '')
      writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth,clientAuth\n`)
      newKey('tls.key')
      openssl('req', '-new', '-key', 'tls.key', '-subj', `/CN=${host}`, '-out', 'tls.csr')
      const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', DAYS, '-extfile', 'names']
      openssl('x509', '-req', '-in', 'tls.csr', ...by, '-out', 'tls.crt')
      return secretOf(name, {
        'ca.crt': read('ca.crt'),
        'tls.crt': read('tls.crt'),
        'tls.key': read('tls.key'),
        // Kafka takes both in one file; the name is cert-manager's.
        ...(host === 'kafka' && { 'tls-combined.pem': read('tls.key') + read('tls.crt') }),
      })
    })
    return { authority: read('ca.crt'), certificates }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
