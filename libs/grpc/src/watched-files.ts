import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { experimental } from '@grpc/grpc-js'
import { createLogger } from '@svc/logging'
import { noteShown } from './certificate-end.ts'

const logger = createLogger('grpc')

/** Paths of PEM files. */
export interface Files {
  ca: string
  cert: string
  key: string
}

type Held = Record<keyof Files, Buffer>

/**
 * What the files hold, and what others hold that a cluster puts in their place: read again at that pace while a server or a
 * connection asks for it, and taken once key and certificate fit each other. The library's own watcher refuses everybody
 * while one cannot be read, and keeps a process from its end.
 */
export function watchedFiles(files: Files, everyMs: number): experimental.CertificateProvider {
  const authorityListeners = new Set<experimental.CaCertificateUpdateListener>()
  const identityListeners = new Set<experimental.IdentityCertificateUpdateListener>()
  let held = read(files)
  noteShown(held.cert)
  let timer: NodeJS.Timeout | undefined

  const authority = () => ({ caCertificate: held.ca })
  const identity = () => ({ certificate: held.cert, privateKey: held.key })

  function look(): void {
    const found = fitting(files)
    if (!found || isSame(found, held)) return
    held = found
    noteShown(held.cert)
    logger.info('another certificate is shown from now on')
    for (const listener of authorityListeners) listener(authority())
    for (const listener of identityListeners) listener(identity())
  }

  function watchWhileAsked(): void {
    if (authorityListeners.size + identityListeners.size > 0) {
      timer ??= setInterval(look, everyMs).unref()
    } else {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    // A server hears of what is told later than this.
    addCaCertificateListener(listener) {
      authorityListeners.add(listener)
      process.nextTick(() => listener(authority()))
      watchWhileAsked()
    },
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener)
      process.nextTick(() => listener(identity()))
      watchWhileAsked()
    },
    removeCaCertificateListener(listener) {
      authorityListeners.delete(listener)
      watchWhileAsked()
    },
    removeIdentityCertificateListener(listener) {
      identityListeners.delete(listener)
      watchWhileAsked()
    },
  }
}

const read = ({ ca, cert, key }: Files): Held => ({
  ca: readFileSync(ca),
  cert: readFileSync(cert),
  key: readFileSync(key),
})

/** undefined where they do not belong together: they are being replaced, or somebody has made a mistake. */
function fitting(files: Files): Held | undefined {
  try {
    const found = read(files)
    // Throws where it is no certificate.
    void new X509Certificate(found.ca)
    if (new X509Certificate(found.cert).checkPrivateKey(createPrivateKey(found.key))) return found
    logger.warn('certificate and key do not fit each other: those of before are kept')
  } catch (err) {
    logger.warn({ err }, 'certificates cannot be read: those of before are kept')
  }
  return undefined
}

const isSame = (one: Held, other: Held): boolean =>
  one.ca.equals(other.ca) && one.cert.equals(other.cert) && one.key.equals(other.key)
