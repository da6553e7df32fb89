import type { EntityManager } from '@mikro-orm/postgresql'
import type { FactName } from '@svc/contracts/facts'
import type { Database, OrmDatabase, Scope } from '@svc/database'
import { createLogger } from '@svc/logging'
import { CompiledQuery, type ControlledTransaction } from 'kysely'
import { decided } from './decided.ts'
import type { Fact } from './fact.ts'
import { insertFacts, type OutboxFact, outboxFact } from './insert-facts.ts'

const logger = createLogger('transact')

export interface SqlResult<Row> {
  rows: Row[]
  /** Rows written, or read where nothing is written. */
  rowCount: number
}

/** One open transaction. */
export interface Tx {
  /** Plain SQL inside the transaction ($1, $2, …); several times faster than the ORM. */
  sql: <Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ) => Promise<SqlResult<Row>>
  /** Announces a fact if and only if the transaction commits. Returns its event id. */
  publish: <N extends FactName>(fact: Fact<N>) => string
  /** Does something once the transaction has committed, and never where it does not. A failure is logged. */
  afterCommit: (work: () => void) => void
  /** app_now() at the start of the transaction. */
  readonly now: Date
}

/** A transaction of a service that maps entities. */
export interface OrmTx extends Tx {
  /** The ORM inside the transaction; what it holds is flushed before the commit. */
  readonly em: EntityManager
}

export type Transact<T extends Tx = Tx> = <R>(scope: Scope, work: (tx: T) => Promise<R>) => Promise<R>

/**
 * Transactions of one service: rows and facts are committed together or not at all, and the relay is woken after the
 * commit. A failed statement dooms its transaction even where the caller swallows the error. One that could not get its
 * locks in time, or was the victim of a deadlock, throws service_unavailable.
 */
export function createTransact(database: OrmDatabase, relay: { wake(): void }): Transact<OrmTx>
export function createTransact(database: Database, relay: { wake(): void }): Transact
export function createTransact(database: Database | OrmDatabase, relay: { wake(): void }): Transact<OrmTx> {
  async function transaction<T>(scope: Scope, work: (tx: OrmTx) => Promise<T>): Promise<T> {
    const role = scope === 'every tenant' ? 'worker' : 'app'
    const opened = await database.begin(role)
    try {
      const tx = await openTx(opened, scope, () => forkOf(database, role))
      const result = await work(tx)
      const announced = await tx.finish()
      await opened.commit().execute()
      if (announced) relay.wake()
      tx.committed()
      return result
    } catch (error) {
      await rollback(opened)
      throw error
    }
  }
  return (scope, work) => decided(transaction(scope, work))
}

function forkOf(database: Database | OrmDatabase, role: 'app' | 'worker'): EntityManager {
  if (!('orm' in database)) throw new TypeError(`${database.name} maps no entities`)
  return (role === 'app' ? database.orm : database.workerOrm).em.fork() as EntityManager
}

type OpenTx = OrmTx & { finish(): Promise<boolean>; committed(): void }

async function openTx(
  transaction: ControlledTransaction<unknown>,
  scope: Scope,
  forkOrm: () => EntityManager,
): Promise<OpenTx> {
  const facts: OutboxFact[] = []
  const afterCommit: Array<() => void> = []
  let em: EntityManager | undefined
  let failure: unknown

  async function sql<Row extends object>(text: string, params: readonly unknown[] = []): Promise<SqlResult<Row>> {
    try {
      const { rows, numAffectedRows } = await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...params]))
      return { rows, rowCount: numAffectedRows === undefined ? rows.length : Number(numAffectedRows) }
    } catch (error) {
      failure ??= error
      throw error
    }
  }

  const { rows } =
    scope === 'every tenant'
      ? await sql<{ now: Date }>('SELECT app_now() AS now')
      : await sql<{ now: Date }>("SELECT set_config('app.tenant_id', $1, true), app_now() AS now", [scope.merchantId])
  const now = rows[0]!.now

  return {
    sql,
    now,
    get em() {
      if (!em) {
        em = forkOrm()
        em.setTransactionContext(transaction)
      }
      return em
    },
    publish(fact) {
      const announced = outboxFact(fact)
      facts.push(announced)
      return announced.eventId
    },
    afterCommit: (work) => void afterCommit.push(work),
    committed() {
      for (const work of afterCommit) {
        try {
          work()
        } catch (err) {
          // What is committed has succeeded, for its caller too.
          logger.error({ err }, 'what follows a commit failed')
        }
      }
    },
    async finish() {
      // The server answers a COMMIT of a failed transaction with a silent rollback.
      if (failure !== undefined) throw failure
      await em?.flush()
      if (facts.length > 0) await insertFacts(sql, facts, now)
      return facts.length > 0
    },
  }
}

async function rollback(transaction: ControlledTransaction<unknown>): Promise<void> {
  if (transaction.isCommitted || transaction.isRolledBack) return
  // Where the connection is gone the server has rolled back by itself; the first error is the one that tells.
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
}
