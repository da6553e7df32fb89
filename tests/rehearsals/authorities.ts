import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Authorities that sign one after the other, and whom of them somebody believes, in a folder of their own. */
export function authorities(title: string) {
  const folder = mkdtempSync(join(tmpdir(), `${title}-authorities-`))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const fileOf = (name: string) => join(folder, name)
  let count = 0

  /** One that nobody believes yet: its name. */
  function found(): string {
    const name = `authority-${++count}`
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`]
    openssl('req', '-x509', ...NEW_KEY, ...files, '-subj', `/CN=${title} ${name}`, '-days', '2')
    return name
  }

  /** Who starts now believes these. */
  function trust(...names: readonly string[]): void {
    writeFileSync(fileOf('ca.crt'), names.map((name) => readFileSync(fileOf(`${name}.crt`))).join(''))
  }

  const first = found()
  trust(first)
  return {
    first,
    found,
    trust,
    /** Another key and certificate for what is on this machine, and has that name; for a month unless told otherwise. */
    sign(authority: string, name: string, days = 30): void {
      const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name},IP:127.0.0.1`]
      openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', 'request', ...names)
      const by = [
        '-CA',
        `${authority}.crt`,
        '-CAkey',
        `${authority}.key`,
        '-CAcreateserial',
        '-copy_extensions',
        'copy',
        '-days',
        String(days),
      ]
      openssl('x509', '-req', '-in', 'request', '-out', `${name}.crt`, ...by)
    },
    files: (name: string) => ({ ca: fileOf('ca.crt'), cert: fileOf(`${name}.crt`), key: fileOf(`${name}.key`) }),
    /** What those files hold. */
    of: (name: string) => ({
      ca: readFileSync(fileOf('ca.crt')),
      cert: readFileSync(fileOf(`${name}.crt`)),
      key: readFileSync(fileOf(`${name}.key`)),
    }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
