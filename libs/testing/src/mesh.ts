import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deleteTopics } from '@svc/kafka'
import {
  addressOf,
  asBuilt,
  baseUrlOf,
  databaseUrls,
  findProcesses,
  type MeshSettings,
  portNames,
  prepareDatabases,
  providersUrlOf,
  type Role,
  replicaName,
  secretsFrom,
  startProcesses,
} from '@svc/mesh'
import { claimFolder, freePorts, type ServerName, startPrivateServers, testServers } from '@svc/servers'
import { dropDatabase, ROLE_PASSWORD } from './database.ts'
import { uniquePrefix } from './unique-prefix.ts'

/** What there is to know of a mesh, whoever started it. */
export interface RunningMesh {
  /** The public API. */
  baseUrl: string
  /** The same at each replica of the gateway. */
  baseUrls: string[]
  /** The double of the third parties. */
  providersUrl: string
  adminStaticToken: string
  /** With which the double of the payment provider signs its hooks. */
  paymentsSecretKey: string
  /** By service and role. */
  databaseUrls: Record<string, Record<Role, string>>
  /** Where the logs and spans of its processes lie; the next run of tests removes it. */
  folder: string
  /** The logs of its processes, and of its own servers where it has them. */
  logFiles(): string[]
  /** The files of spans, one per process. */
  traceFiles(): string[]
  /** The files that record which process is which, of its processes and of its own servers where it has them. */
  pidFiles(): string[]
  /** Where each process of a service or a gateway shows its metrics, by the names that kill() knows. */
  metricsUrls: Record<string, string>
  /** The processes of services and gateways, by the names that kill() knows. */
  processes: string[]
}

export interface Mesh extends RunningMesh {
  /** Kills a process, or one of its own servers (postgres, redis, kafka), by SIGKILL; it comes back by itself. */
  kill(name: string, signal?: NodeJS.Signals): Promise<void>
  /** What a process finds in its environment beside the rest, or in its place, from its next start on. */
  tell(name: string, environment: Readonly<Record<string, string>>): void
  stop(): Promise<void>
}

export interface MeshOptions {
  /** Servers of its own, which may be killed. */
  ownServers?: boolean
  /** Whether a commit on them waits for the disk, as in production; it does not unless told so. */
  durable?: boolean
  /** More variables for every process, or for a process by its name. */
  environment?: MeshSettings['environment']
  /** Whether every process writes its spans to a file, as it does unless told otherwise. */
  spans?: boolean
  /** Of each service and of the gateway; one unless told otherwise. */
  replicas?: number
  /** Of the gateway alone; as many as of the services unless told otherwise. */
  gateways?: number
  /** Whether its processes are those that `npm run build` made, in place of the sources. */
  built?: boolean
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SERVERS: readonly string[] = ['postgres', 'redis', 'kafka'] satisfies ServerName[]

/** The whole mesh as processes of its own, with databases, topics, keys and ports of its own. */
export async function mesh(options: MeshOptions = {}): Promise<Mesh> {
  const ownServers = options.ownServers ? await startPrivateServers(root, options) : undefined
  const settings = await meshSettings(ownServers ?? (await testServers()), options)
  const services = settings.processes
    .filter(({ kind, replica }) => kind === 'service' && replica === 1)
    .map(({ name }) => name)
  const ours = settings.processes.filter(({ kind }) => kind !== 'providers').map(replicaName)
  const release = async () => (ownServers ? ownServers.stop() : removeTraces(settings, services))
  try {
    await prepareDatabases(settings)
    const processes = await startProcesses(settings, () => {})
    return {
      baseUrl: baseUrlOf(settings),
      baseUrls: settings.processes
        .filter(({ kind }) => kind === 'gateway')
        .map((gateway) => `http://${addressOf(settings, replicaName(gateway))}`),
      providersUrl: providersUrlOf(settings) ?? '',
      adminStaticToken: settings.secrets.adminStaticToken,
      paymentsSecretKey: settings.secrets.paymentsSecretKey,
      databaseUrls: Object.fromEntries(services.map((service) => [service, databaseUrls(settings, service)])),
      folder: settings.folder,
      logFiles: () => [join(settings.folder, 'logs'), ...(ownServers ? [ownServers.logFolder] : [])].flatMap(filesIn),
      traceFiles: () => filesIn(spansFolder(settings)),
      pidFiles: () =>
        [join(settings.folder, 'run'), ...(ownServers ? [ownServers.folder] : [])]
          .flatMap(filesIn)
          .filter((file) => file.endsWith('.pid') && basename(file) !== 'owner.pid'),
      metricsUrls: Object.fromEntries(
        ours.map((name) => [name, `http://127.0.0.1:${settings.ports[`${name}.ops`]}/metrics`]),
      ),
      processes: ours,
      kill: async (name, signal = 'SIGKILL') => {
        if (ownServers && SERVERS.includes(name)) ownServers.kill(name as ServerName, signal)
        else processes.kill(name, signal)
      },
      tell: (name, environment) => processes.tell(name, environment),
      stop: async () => {
        await processes.stop()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

async function meshSettings(servers: MeshSettings['servers'], options: MeshOptions): Promise<MeshSettings> {
  const folder = claimFolder(join(root, '.local', 'test'))
  const { replicas = 1, gateways = replicas } = options
  const found = findProcesses(root, Math.max(replicas, gateways)).filter(
    ({ kind, replica }) => replica <= (kind === 'gateway' ? gateways : replicas),
  )
  const processes = options.built ? found.map((process) => asBuilt(root, process)) : found
  const names = portNames(processes)
  const ports = await freePorts(names.length)
  return {
    root,
    folder,
    processes,
    servers,
    ports: Object.fromEntries(names.map((name, index) => [name, ports[index] as number])),
    secrets: secretsFrom(randomBytes(32).toString('hex')),
    rolePassword: () => ROLE_PASSWORD,
    prefix: uniquePrefix(),
    logLevel: 'info',
    traceFolder: options.spans === false ? undefined : join(folder, 'spans'),
    environment: options.environment,
  }
}

const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name))

const spansFolder = (settings: MeshSettings) => join(settings.folder, 'spans')

/** What a mesh leaves on servers that go on running. */
async function removeTraces(settings: MeshSettings, services: string[]): Promise<void> {
  for (const service of services) await dropDatabase(settings.servers.databaseAdminUrl, settings.prefix + service)
  await deleteTopics(settings.servers.kafkaBrokers, settings.prefix)
}
