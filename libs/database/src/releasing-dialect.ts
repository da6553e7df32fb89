import {
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'

/**
 * The Postgres dialect, minus a leak: a transaction whose BEGIN or ROLLBACK fails (the server went away) would keep
 * its connection for ever, and after a few of them the pool would be empty until a restart.
 */
export class ReleasingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new ReleasingDriver(this.#config)
  }
}

class ReleasingDriver extends PostgresDriver {
  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    await this.#releaseOnFailure(args[0], super.beginTransaction(...args))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#releaseOnFailure(connection, super.rollbackTransaction(connection))
  }

  async #releaseOnFailure(connection: DatabaseConnection, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      await this.releaseConnection(connection as Parameters<PostgresDriver['releaseConnection']>[0])
      throw error
    }
  }
}
