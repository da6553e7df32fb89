import { CALLS } from '@svc/contracts/calls'
import { authorities } from './authorities.ts'

/** Every process that speaks gRPC. */
export const PROCESSES: readonly string[] = [...new Set([...Object.keys(CALLS), ...Object.values(CALLS).flat()])].sort()

/** Those of them that others call, which alone come to Kafka. */
export const SERVICES: readonly string[] = PROCESSES.filter((process) => process !== 'gateway')

export type MeshCertificates = ReturnType<typeof meshCertificates>

/** What the Secrets `<process>-tls` of a mesh hold, as files: each process reads its own at its start. */
export function meshCertificates() {
  const mesh = authorities('mesh')
  /** Each process gets another key and certificate, by that authority. */
  const sign = (authority: string): void => PROCESSES.forEach((process) => mesh.sign(authority, process))
  sign(mesh.first)
  return {
    ...mesh,
    sign,
    signFor: (authority: string, process: string, days?: number): void => mesh.sign(authority, process, days),
    environmentOf(process: string): Readonly<Record<string, string>> {
      const { ca, cert, key } = mesh.files(process)
      return { GRPC_TLS_CA: ca, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key }
    },
  }
}
