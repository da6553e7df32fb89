import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { experimental } from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { watchedFiles } from './watched-files.ts'

const EVERY_MS = 10_000
let folder: string
const at = (name: string) => join(folder, name)
const told = { ca: 'told.ca', cert: 'told.crt', key: 'told.key' }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watched-files-'))
  for (const name of ['old', 'new']) {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', at(`${name}.key`)]
    execFileSync('openssl', ['req', '-x509', ...key, '-out', at(`${name}.crt`), '-subj', `/CN=${name}`], {
      stdio: 'ignore',
    })
    copyFileSync(at(`${name}.crt`), at(`${name}.ca`))
  }
  put('old', 'ca', 'crt', 'key')
  jest.useFakeTimers({ doNotFake: ['nextTick'] })
})
afterEach(() => {
  jest.useRealTimers()
  rmSync(folder, { recursive: true })
})

function put(name: 'old' | 'new', ...parts: ReadonlyArray<'ca' | 'crt' | 'key'>): void {
  for (const part of parts) copyFileSync(at(`${name}.${part}`), at(`told.${part}`))
}

/** What somebody who listens has heard: of certificates their names, and of authorities. */
async function listening() {
  const files = { ca: at(told.ca), cert: at(told.cert), key: at(told.key) }
  const provider = watchedFiles(files, EVERY_MS)
  const heard: string[] = []
  const nameOf = (pem: Buffer) => ['old', 'new'].find((name) => pem.equals(readFileSync(at(`${name}.crt`))))
  const onAuthority: experimental.CaCertificateUpdateListener = (update) =>
    void heard.push(`authority ${nameOf(update!.caCertificate)}`)
  const onIdentity: experimental.IdentityCertificateUpdateListener = (update) =>
    void heard.push(`certificate ${nameOf(update!.certificate)}`)
  provider.addCaCertificateListener(onAuthority)
  provider.addIdentityCertificateListener(onIdentity)
  await new Promise<void>((resolve) => process.nextTick(resolve))
  return heard
}

const FIRST = ['authority old', 'certificate old']

test('who listens hears what the files hold, and once what others hold that are put in their place', async () => {
  const heard = await listening()
  jest.advanceTimersByTime(3 * EVERY_MS)
  expect(heard).toEqual(FIRST)
  put('new', 'ca', 'crt', 'key')
  jest.advanceTimersByTime(3 * EVERY_MS)
  expect(heard).toEqual([...FIRST, 'authority new', 'certificate new'])
})

test('a key without its certificate, or a file that cannot be read, is not taken, nor what was there taken away', async () => {
  const heard = await listening()
  put('new', 'key')
  jest.advanceTimersByTime(EVERY_MS)
  rmSync(at(told.cert))
  jest.advanceTimersByTime(EVERY_MS)
  writeFileSync(at(told.cert), 'half of a cert')
  jest.advanceTimersByTime(EVERY_MS)
  put('new', 'crt')
  writeFileSync(at(told.ca), 'half of a cert')
  jest.advanceTimersByTime(EVERY_MS)
  expect(heard).toEqual(FIRST)
  put('old', 'ca')
  jest.advanceTimersByTime(EVERY_MS)
  expect(heard).toEqual([...FIRST, 'authority old', 'certificate new'])
})
