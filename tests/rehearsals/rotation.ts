import type { Mesh } from '@svc/testing'
import type { guardedBrokers } from '../../libs/kafka/test/guarded-brokers.ts'
import type { Api, SignedUp } from '../journeys/merchant.ts'
import type { MeshCertificates } from './mesh-certificates.ts'
import type { ServerCertificates } from './server-certificates.ts'

type Environment = Readonly<Record<string, string>>

/** In which secrets are replaced: a mesh with two replicas of everything and a steady load. */
export interface Rotating {
  system: Mesh
  /** Where a balancer sends each connection to one of the gateways that serve. */
  baseUrl: string
  anyone: Api
  merchant: SignedUp
  /** Where facts are, which asks who comes; a service comes as the user of its name. */
  kafka: Awaited<ReturnType<typeof guardedBrokers>>
  /** By which its processes speak TLS with each other. */
  certificates: MeshCertificates
  /** By which its servers do, Kafka from the start. */
  servers: ServerCertificates
  /** Of the merchant, with a token of now. */
  logIn: () => Promise<{ access_token: string; refresh_token: string }>
  /** What a variable of a process is now. */
  told: (process: string, variable: string) => string
  /** Both replicas of a process find these variables from their next start on. */
  tell: (process: string, environment: Environment) => void
  /** Replaces both replicas of each, one after the other, which find these variables then; '' is none. */
  roll: (processes: readonly string[], environment: Environment) => Promise<void>
  /** Replaces the first replica of each side by side, then the second. */
  rollTogether: (processes: readonly string[]) => Promise<void>
  /** As the superuser of the database of a service. */
  sql: <Row extends object>(service: string, text: string, values?: unknown[]) => Promise<Row[]>
  /** What a command of a service prints, in the environment of its first replica. */
  command: (service: string, name: string, environment?: Environment) => Promise<string>
  /** Asks again and again until streams end or the rotation is over; what is thrown is a failed request. */
  stream: (what: string, everyMs: number, ask: () => Promise<unknown>) => void
  endStreams: () => Promise<void>
}

/** How one kind of secret is replaced, as docs/deploy/keys.md has it; throws where something is not as the page says. */
export interface Rotation {
  name: string
  rotate: (rotating: Rotating) => Promise<void>
}
