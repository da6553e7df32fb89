import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProcesses, type MeshSettings, portNames, secretsFrom } from '@svc/mesh'
import type { ServerAddresses, ServersOptions } from '@svc/servers'
import { keepPorts, readPorts } from './keep-ports.ts'
import { keepSeed } from './keep-seed.ts'
import { localFolder, root } from './paths.ts'

const portsFile = join(localFolder, 'ports.json')
const SERVER_PORTS = ['postgres', 'redis', 'kafka', 'kafkaController'] as const
const GATEWAY_PORT = 8080

/** Settings of the local run with ports that are free now. */
export async function localSettings(): Promise<{ mesh: MeshSettings; servers: ServersOptions }> {
  mkdirSync(localFolder, { recursive: true })
  const names = [...portNames(findProcesses(root)), ...SERVER_PORTS]
  return settingsWith(await keepPorts(portsFile, names, { gateway: GATEWAY_PORT }))
}

/** Settings of the local run that is under way. */
export function runningSettings(): { mesh: MeshSettings; servers: ServersOptions } {
  return settingsWith(readPorts(portsFile))
}

function settingsWith(ports: Record<string, number>): { mesh: MeshSettings; servers: ServersOptions } {
  const secrets = secretsFrom(keepSeed(join(localFolder, 'secrets.json')))
  const [postgres, redis, kafka, kafkaController] = SERVER_PORTS.map((name) => ports[name] as number) as [
    number,
    number,
    number,
    number,
  ]
  const given = givenServers()
  const own: ServerAddresses = {
    databaseAdminUrl: `postgres://postgres:${secrets.superuserPassword}@127.0.0.1:${postgres}/postgres`,
    redisUrl: `redis://127.0.0.1:${redis}`,
    kafkaBrokers: [`127.0.0.1:${kafka}`],
  }
  return {
    mesh: {
      root,
      folder: localFolder,
      processes: findProcesses(root),
      servers: { ...own, ...given },
      ports,
      secrets,
      rolePassword: secrets.rolePassword,
      prefix: '',
      logLevel: process.env.LOG_LEVEL ?? 'info',
      // Who plays all guides signs up more often from one address than strangers may.
      environment: { RATE_SIGNUP_PER_HOUR: '100' },
    },
    servers: {
      folder: join(localFolder, 'data'),
      logFolder: join(localFolder, 'logs'),
      cacheFolder: join(localFolder, 'cache'),
      ports: { postgres, redis, kafka, kafkaController },
      password: secrets.superuserPassword,
      given,
    },
  }
}

/** The servers of DATABASE_ADMIN_URL, REDIS_URL and KAFKA_BROKERS, where given, are used instead of our own. */
function givenServers(): Partial<ServerAddresses> {
  const { DATABASE_ADMIN_URL, REDIS_URL, KAFKA_BROKERS } = process.env
  return {
    ...(DATABASE_ADMIN_URL && { databaseAdminUrl: DATABASE_ADMIN_URL }),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
    ...(KAFKA_BROKERS && { kafkaBrokers: KAFKA_BROKERS.split(',') }),
  }
}
