import { X509Certificate } from 'node:crypto'
import {
  type ChannelCredentials,
  credentials,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
} from '@grpc/grpc-js'
import { file, parseConfig } from '@svc/config'
import { z } from 'zod'

/** Both ends of every link prove with it who they are. */
export interface Tls {
  /** PEM; whoever was signed by it belongs to the mesh. */
  ca: Buffer
  cert: Buffer
  key: Buffer
}

const schema = z
  .object({ grpcTlsCa: file.optional(), grpcTlsCert: file.optional(), grpcTlsKey: file.optional() })
  .refine((files) => [0, 3].includes(Object.values(files).length), {
    message: 'GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY go together',
  })

/** What the files of GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY hold; undefined where none is named: then there is no TLS. */
export function tlsFromEnv(env: NodeJS.ProcessEnv = process.env): Tls | undefined {
  const { grpcTlsCa: ca, grpcTlsCert: cert, grpcTlsKey: key } = parseConfig(schema, env)
  return ca && cert && key ? { ca, cert, key } : undefined
}

/** A server that with TLS speaks to nobody who has no certificate of the mesh. */
export const serverCredentials = (tls: Tls | undefined): ServerCredentials =>
  tls
    ? ServerCredentials.createSsl(tls.ca, [{ cert_chain: tls.cert, private_key: tls.key }], true)
    : ServerCredentials.createInsecure()

/** A client that with TLS speaks only to the host that the certificate names. */
export const clientCredentials = (tls: Tls | undefined): ChannelCredentials =>
  tls ? credentials.createSsl(tls.ca, tls.key, tls.cert) : credentials.createInsecure()

/**
 * Whether the certificate of a call's connection names a process as a DNS name of its own, `order`: the mesh's authority
 * vouches for it. undefined where there is no TLS.
 */
export function certification(
  call: Pick<ServerUnaryCall<unknown, unknown> | ServerDuplexStream<unknown, unknown>, 'getAuthContext'>,
): ((issuer: string) => boolean) | undefined {
  const { transportSecurityType, sslPeerCertificate } = call.getAuthContext()
  if (transportSecurityType !== 'ssl') return undefined
  const certificate = sslPeerCertificate && new X509Certificate(sslPeerCertificate.raw)
  const known = new Map<string, boolean>()
  return (issuer) => {
    const isNamed =
      known.get(issuer) ?? certificate?.checkHost(issuer, { subject: 'never', wildcards: false }) !== undefined
    known.set(issuer, isNamed)
    return isNamed
  }
}
