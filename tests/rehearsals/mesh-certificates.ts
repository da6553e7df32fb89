import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CALLS } from '@svc/contracts/calls'

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Every process that speaks gRPC. */
export const PROCESSES: readonly string[] = [...new Set([...Object.keys(CALLS), ...Object.values(CALLS).flat()])].sort()

export type MeshCertificates = ReturnType<typeof meshCertificates>

/** What the Secrets `<process>-tls` of a mesh hold, as files: each process reads its own at its start. */
export function meshCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'mesh-certificates-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const pathOf = (process: string, file: string) => join(folder, process, file)
  openssl('req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=mesh', '-days', '2')

  /** Each process gets another key and certificate. */
  function sign(): void {
    for (const process of PROCESSES) {
      const names = ['-subj', `/CN=${process}`, '-addext', `subjectAltName=DNS:${process},IP:127.0.0.1`]
      openssl('req', ...NEW_KEY, '-keyout', pathOf(process, 'tls.key'), '-out', 'request', ...names)
      const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy']
      openssl('x509', '-req', '-in', 'request', '-out', pathOf(process, 'tls.crt'), ...by)
    }
  }

  for (const process of PROCESSES) mkdirSync(join(folder, process))
  sign()
  return {
    sign,
    environmentOf: (process: string): Readonly<Record<string, string>> => ({
      GRPC_TLS_CA: join(folder, 'ca.crt'),
      GRPC_TLS_CERT: pathOf(process, 'tls.crt'),
      GRPC_TLS_KEY: pathOf(process, 'tls.key'),
    }),
    /** What the files of a process hold. */
    of: (process: string) => ({
      ca: readFileSync(join(folder, 'ca.crt')),
      cert: readFileSync(pathOf(process, 'tls.crt')),
      key: readFileSync(pathOf(process, 'tls.key')),
    }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
