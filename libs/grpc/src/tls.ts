import { X509Certificate } from 'node:crypto'
import {
  type ChannelCredentials,
  credentials,
  experimental,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
} from '@grpc/grpc-js'
import { file, nodeEnv, parseConfig } from '@svc/config'
import { z } from 'zod'
import { type Files, watchedFiles } from './watched-files.ts'

/**
 * By which both ends of every link prove who they are; a process whose certificate `ca` has signed belongs to the mesh. Each
 * connection takes what the files hold by then.
 */
export interface Tls extends Files {
  /** How often they are read again; every ten seconds unless given. */
  readEveryMs?: number
}

const READ_EVERY_MS = 10_000

const schema = z
  .object({
    nodeEnv,
    grpcTls: z.literal('off').optional(),
    grpcTlsCa: file.optional(),
    grpcTlsCert: file.optional(),
    grpcTlsKey: file.optional(),
  })
  .refine(
    ({ nodeEnv: _nodeEnv, ...stated }) => ['', 'grpcTls', 'grpcTlsCa,grpcTlsCert,grpcTlsKey'].includes(named(stated)),
    {
      message: 'GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY go together, and GRPC_TLS=off without them',
    },
  )
  .refine(({ nodeEnv, ...stated }) => nodeEnv !== 'production' || named(stated) !== '', {
    message: 'GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY: are missing; GRPC_TLS=off says that there is to be no TLS',
  })

const named = (stated: object) => Object.keys(stated).sort().join()

/**
 * The files of GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY, which can be read; undefined where there is no TLS, which
 * production must have said.
 */
export function tlsFromEnv(env: NodeJS.ProcessEnv = process.env): Tls | undefined {
  const { grpcTlsCa: ca, grpcTlsCert: cert, grpcTlsKey: key } = parseConfig(schema, env)
  return ca && cert && key ? { ca, cert, key } : undefined
}

/** A server that with TLS speaks only to clients with a certificate of the mesh. */
export function serverCredentials(tls: Tls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure()
  const files = watched(tls)
  return experimental.createCertificateProviderServerCredentials(files, files, true)
}

/** A client that with TLS speaks only to the host that the certificate names. */
export function clientCredentials(tls: Tls | undefined): ChannelCredentials {
  if (!tls) return credentials.createInsecure()
  const files = watched(tls)
  return experimental.createCertificateProviderChannelCredentials(files, files)
}

const watched = ({ readEveryMs = READ_EVERY_MS, ...files }: Tls) => watchedFiles(files, readEveryMs)

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
