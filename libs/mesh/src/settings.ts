import type { ServerAddresses } from '@svc/servers'
import type { MeshProcess } from './find-processes.ts'
import type { Secrets } from './secrets.ts'

export const ROLES = ['owner', 'app', 'worker', 'inspect'] as const
export type Role = (typeof ROLES)[number]

type Variables = Readonly<Record<string, string>>

/** All that decides how one mesh runs. `npm start` and the meshes of tests differ in nothing else. */
export interface MeshSettings {
  root: string
  /** Where the logs and the records of running processes lie. */
  folder: string
  processes: readonly MeshProcess[]
  /** Names of those that somebody else runs: they have their place in it and are not started. */
  without?: readonly string[]
  servers: ServerAddresses
  ports: Readonly<Record<string, number>>
  secrets: Secrets
  /** Tests share roles with the other databases of their server, and so their passwords. */
  rolePassword: (service: string, role: Role) => string
  /** Before the names of databases, topics, consumer groups and Redis keys. */
  prefix: string
  logLevel: string
  /** Where every process writes its spans, one file each. */
  traceFolder?: string
  /** More variables for every process, or for a process by its name; these win. */
  environment?: Variables | ((process: string) => Variables)
}

/** Where a process of the mesh answers. */
export function addressOf(settings: MeshSettings, port: string): string {
  return `127.0.0.1:${settings.ports[port]}`
}

export function baseUrlOf(settings: MeshSettings): string {
  return `http://${addressOf(settings, 'gateway')}`
}

/** Absent where the double of the third parties does not run. */
export function providersUrlOf(settings: MeshSettings): string | undefined {
  return settings.ports['providers'] ? `http://${addressOf(settings, 'providers')}` : undefined
}
