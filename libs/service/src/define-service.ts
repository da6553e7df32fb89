import { checkServerLinks, parseConfig, readTogether } from '@svc/config'
import { migrate, openDatabase, provisionAsNamed, raiseVersions } from '@svc/database'
import { replayParkedCommand } from '@svc/facts'
import { run } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import type { Tx } from '@svc/transact'
import { z } from 'zod'
import { assemble, contextOf, databaseOptions, type Running } from './assemble.ts'
import type { Based, ConfigOf, Definition, Mapped } from './definition.ts'

const COMMAND_POOL_SIZE = 2

/** A service with all that can be done with it: its process, its commands, and its tests. */
export interface DefinedService<Config, Context> {
  readonly name: string
  readonly config: (env?: NodeJS.ProcessEnv) => Config
  readonly migrations: Definition<string, never, never>['migrations']
  /** The service, ready to start; tests override parts of its context. */
  create(config: Config, overrides?: Partial<Context>): Promise<Running<Context>>
  /** Runs the service as this process. */
  main(): Promise<void>
  /** Makes the database and its roles what this release expects, as the administrator of the server. */
  provision(): Promise<void>
  /** Runs the pending migrations, as the owner of the tables. */
  migrate(): Promise<void>
  /** Raises the counters of a database that was restored, before the service starts. */
  raiseVersions(): Promise<void>
  /** Does the work of a command with what the use cases depend on. Its facts and calls leave by the running service. */
  withContext<T>(work: (context: Context) => Promise<T>, overrides?: Partial<Context>): Promise<T>
  /** Lists the parked facts; with an event id or --all lets them take effect. Sets the exit code. */
  replayParked(overrides?: Partial<Context>): Promise<void>
}

/** Makes a service of what it is made of. */
export function defineService<
  Name extends string,
  Config extends ConfigOf<Name>,
  Context extends Based,
  T extends Tx = Tx,
>(definition: Definition<Name, Config, Context, T> & Mapped<T>): DefinedService<Config, Context> {
  const { name, config: readConfig, migrations, counters = [], consumers = {} } = definition

  const configured = () => readTogether({ config: () => readConfig(), links: () => checkServerLinks() }).config
  const create = (config: Config, overrides: Partial<Context> = {}) => assemble(definition, config, overrides)

  async function withContext<T>(work: (context: Context) => Promise<T>, overrides: Partial<Context> = {}): Promise<T> {
    const config = configured()
    const database = await openDatabase({ ...databaseOptions(definition, config), poolSize: COMMAND_POOL_SIZE })
    const relay = { wake: () => undefined }
    const { context, peers } = await contextOf(definition, { config, database, relay }, overrides)
    try {
      for (const peer of peers) await peer.start?.()
      return await work(context)
    } finally {
      for (const peer of peers.toReversed()) await peer.stop?.()
      await database.close()
    }
  }

  return {
    name,
    config: readConfig,
    migrations,
    create,
    withContext,
    async main() {
      const config = configured()
      await run(await create(config), config)
    },
    async raiseVersions() {
      const rows = await raiseVersions(urlFromEnv(`${name}WorkerUrl`), counters)
      createLogger('raise-versions').info({ rows }, `the versions of ${name} are raised`)
    },
    async provision() {
      await provisionAsNamed({
        service: name,
        adminUrl: urlFromEnv(`${name}AdminUrl`),
        ownerUrl: urlFromEnv(`${name}OwnerUrl`),
        appUrl: urlFromEnv(`${name}DatabaseUrl`),
        workerUrl: urlFromEnv(`${name}WorkerUrl`),
        extensions: definition.extensions,
      })
      createLogger('provision').info(`the database of ${name} is provisioned`)
    },
    async migrate() {
      const applied = await migrate({ name, ownerUrl: urlFromEnv(`${name}OwnerUrl`), migrations })
      createLogger('migrate').info({ applied }, `${name} is migrated`)
    },
    async replayParked(overrides) {
      process.exitCode = await withContext((context) => {
        const { database, transact } = context
        return replayParkedCommand({ database, transact, consumers: Object.values(consumers).flat(), context })
      }, overrides)
    },
  }
}

/** All that such a command needs of the configuration. */
function urlFromEnv(knob: string): string {
  checkServerLinks()
  const { [knob]: url = '' } = parseConfig(z.object({ [knob]: z.string().min(1) }))
  return url
}
