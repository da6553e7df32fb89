import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import type { Secret } from './secrets.ts'

const DAYS = '365'

/**
 * The Secrets with the certificates that an overlay mounts and that nobody in it makes, signed by an authority whose key is
 * forgotten: the next ones are all of them again, by another. A certificate bears the name of its process alone.
 */
export function certificatesFor(manifests: readonly Manifest[]): Secret[] {
  const made = new Set(manifests.filter(({ kind }) => kind === 'Certificate').map(({ spec }) => spec?.secretName))
  const mounted = manifests
    .flatMap(({ spec }) => spec?.template?.spec.volumes ?? [])
    .map(({ secret }) => secret?.secretName)
  const wanted = [...new Set(mounted)].filter((name) => name?.endsWith('-tls')).filter((name) => !made.has(name))
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const newKey = (file: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    newKey('ca.key')
    openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      'ca.key',
      '-subj',
      '/CN=delivery-dispatch mesh',
      '-days',
      DAYS,
      '-out',
      'ca.crt',
    )
    return wanted.map((name = ''): Secret => {
      const host = name.replace(/-tls$/, '')
      writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth,clientAuth\n`)
      newKey('tls.key')
      openssl('req', '-new', '-key', 'tls.key', '-subj', `/CN=${host}`, '-out', 'tls.csr')
      const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', DAYS, '-extfile', 'names']
      openssl('x509', '-req', '-in', 'tls.csr', ...signed, '-out', 'tls.crt')
      return {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'Opaque',
        metadata: { name, namespace: 'delivery-dispatch' },
        stringData: { 'ca.crt': read('ca.crt'), 'tls.crt': read('tls.crt'), 'tls.key': read('tls.key') },
      }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
