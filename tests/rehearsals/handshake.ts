import type { X509Certificate } from 'node:crypto'
import { connect } from 'node:http2'
import type { TLSSocket } from 'node:tls'

interface Credentials {
  ca: Buffer
  cert: Buffer
  key: Buffer
}

/** The certificate that a server of gRPC on this machine shows to whom it takes; undefined where one end refuses the other. */
export async function handshake(port: number, credentials: Credentials): Promise<X509Certificate | undefined> {
  const { promise, resolve } = Promise.withResolvers<X509Certificate | undefined>()
  const session = connect(`https://127.0.0.1:${port}`, { ...credentials })
  // A server looks at the certificate of a client after the client's handshake is done: only what it sends then says yes.
  session.once('remoteSettings', () => resolve((session.socket as TLSSocket).getPeerX509Certificate()))
  session.once('close', () => resolve(undefined))
  session.on('error', () => {})
  try {
    return await promise
  } finally {
    session.destroy()
  }
}
