import pg from 'pg'
import type { Tenant } from './tenant.ts'

/** Whose rows are read; 'every tenant' reads as the worker role. */
export type Scope = Tenant | 'every tenant'

/** One SELECT. */
export interface Statement {
  text: string
  params?: readonly unknown[] | undefined
  /**
   * When it is planned. `each time`: for its parameters. `once`: for all tenants and parameters alike, which is for what an
   * index alone answers, whoever asks. Otherwise Postgres chooses; a plan that was made for a small tenant may then serve
   * the largest.
   */
  planned?: 'each time' | 'once' | undefined
}

export type Rows = Array<Record<string, unknown>>

/** What one caller reads. */
export interface Read {
  scope: Scope
  statements: readonly Statement[]
}

/** What pg calls Connection: messages of the protocol, in the order in which they are sent. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: ReadonlyArray<string | Buffer | null> }): void
  describe(portal: { type: 'P'; name: '' }): void
  execute(portal: { portal: ''; rows: 0 }): void
  sync(): void
}

type Column = readonly [name: string, parse: (text: string) => unknown]

interface Step {
  text: string
  values: Array<string | Buffer | null>
}

/** Hears of each read what each of its statements found. */
type Answered = (error: Error | null, results: Rows[][]) => void

/** Statements that a connection keeps prepared: of more, those that were parsed first are parsed again when they are asked. */
const MAX_PREPARED = 500

interface Prepared {
  name: string
  /** Undefined where the server may have it or not: it was parsed, and what was asked with it failed. */
  columns: readonly Column[] | undefined
}

/** By connection and text, those parsed first in front. */
const prepared = new WeakMap<object, Map<string, Prepared>>()
let named = 0

/**
 * Statements of one scope that go to the server in one write and come back in one answer. No BEGIN: up to the Sync at its
 * end the server runs it all as one transaction. The first statement names the tenant and forbids writing, for this
 * transaction alone. Each is executed before the next is even planned, and none is where one before it failed.
 */
export class ScopedRead implements pg.Submittable {
  /** What the span of the read tells. */
  readonly text: string
  callback: Answered
  readonly #steps: Step[]
  readonly #reads: readonly Read[]
  readonly #results: Rows[] = []
  readonly #columns: Array<readonly Column[]> = []
  #rows: Rows = []
  #failure: Error | undefined
  #wire: Wire | undefined
  readonly #types: pg.CustomTypesConfig

  constructor(reads: readonly Read[], types: pg.CustomTypesConfig, callback: Answered) {
    this.callback = callback
    this.#reads = reads
    this.#types = types
    this.text = [...new Set(reads.flatMap(({ statements }) => statements.map(({ text }) => text)))].join(';\n')
    // Nothing is on its way yet if a parameter cannot be spelt.
    this.#steps = reads.flatMap(({ scope, statements }) =>
      [entering(scope, statements), ...statements].map(({ text, params = [] }) => ({
        text,
        values: params.map(spelt),
      })),
    )
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    this.#wire = wire
    const known = knownTo(wire)
    wire.stream.cork()
    try {
      // Before anything that may fail: the server skips what comes after that.
      for (const [text, { name }] of known) {
        if (known.size <= MAX_PREPARED) break
        wire.close({ type: 'S', name })
        known.delete(text)
      }
      for (const [index, { text, values }] of this.#steps.entries()) {
        const { name, columns } = preparedOf(known, text)
        if (!columns) {
          wire.close({ type: 'S', name })
          wire.parse({ name, text })
        }
        wire.bind({ statement: name, values })
        if (columns) this.#columns[index] = columns
        else wire.describe({ type: 'P', name: '' })
        wire.execute({ portal: '', rows: 0 })
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#columns[this.#results.length] = fields.map(({ name, dataTypeID }) => [
      name,
      this.#types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    ])
  }

  handleDataRow({ fields }: { fields: Array<string | null> }): void {
    const columns = this.#columns[this.#results.length]
    if (!columns) return this.#fail(new Error('a row without columns'))
    const row: Record<string, unknown> = {}
    try {
      for (let at = 0; at < columns.length; at++) {
        const [name, parse] = columns[at]!
        const text = fields[at]
        row[name] = text === null || text === undefined ? null : parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  handleCommandComplete(): void {
    this.#results.push(this.#rows)
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.#fail(new Error('a statement is empty'))
  }

  handlePortalSuspended(): void {
    this.#fail(new Error('a statement was cut short'))
  }

  handleCopyInResponse(): void {
    this.#fail(new Error('a statement waits for data'))
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    this.#remember(() => undefined)
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    if (this.#results.length !== this.#steps.length) this.#fail(new Error('a read was answered in part'))
    if (this.#failure) return this.handleError(this.#failure)
    this.#remember((index) => this.#columns[index])
    let at = 0
    this.callback(
      null,
      this.#reads.map(({ statements }) => {
        const from = at + 1
        at = from + statements.length
        return this.#results.slice(from, at)
      }),
    )
  }

  #remember(columnsOf: (index: number) => readonly Column[] | undefined): void {
    if (!this.#wire) return
    const known = knownTo(this.#wire)
    for (const [index, { text }] of this.#steps.entries()) preparedOf(known, text).columns = columnsOf(index)
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }
}

const TENANT = `set_config('app.tenant_id', $1, true)`
const READ_ONLY = `set_config('transaction_read_only', 'on', true)`
const PLANNED = {
  'each time': [`set_config('plan_cache_mode', 'force_custom_plan', true)`],
  // A plan that reads the whole table, made where there was one tenant, would stay.
  once: [
    `set_config('plan_cache_mode', 'force_generic_plan', true)`,
    `set_config('enable_seqscan', 'off', true)`,
    `set_config('enable_bitmapscan', 'off', true)`,
  ],
}

/** Settings that end with the transaction, whatever becomes of it. Of several statements the most careful one decides. */
function entering(scope: Scope, statements: readonly Statement[]): Statement {
  const all = statements.map(({ planned }) => planned)
  const planned = all.includes('each time') ? 'each time' : all.every((one) => one === 'once') ? 'once' : undefined
  const settings = [READ_ONLY, ...(planned ? PLANNED[planned] : [])]
  if (scope === 'every tenant') return { text: `SELECT ${settings.join(', ')}` }
  return { text: `SELECT ${[TENANT, ...settings].join(', ')}`, params: [scope.merchantId] }
}

function knownTo(wire: Wire) {
  const known = prepared.get(wire) ?? new Map<string, Prepared>()
  if (known.size === 0) prepared.set(wire, known)
  return known
}

function preparedOf(known: Map<string, Prepared>, text: string): Prepared {
  const statement = known.get(text) ?? { name: `read_${++named}`, columns: undefined }
  if (!known.has(text)) known.set(text, statement)
  return statement
}

/** A parameter as the server reads it. */
function spelt(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  throw new TypeError(`no parameter of a read: ${typeof value}`)
}

function element(value: unknown): string {
  const text = spelt(value)
  if (text === null) return 'NULL'
  if (typeof text !== 'string' || Array.isArray(value)) throw new TypeError('no element of a parameter of a read')
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** The statement is not prepared any more, or its table has other columns than when it was: once parsed again it runs. */
const isForgotten = (error: Error): boolean =>
  error instanceof pg.DatabaseError && (error.code === '0A000' || error.code === '26000')

/** The rows of each statement of each read, through one connection of the pool. */
export function readThrough(pool: pg.Pool, reads: readonly Read[]): Promise<Rows[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<Rows[][]>()
  const types = pool.options.types as pg.CustomTypesConfig
  pool.connect((unreachable, client, release) => {
    if (unreachable || !client) return reject(unreachable ?? new Error('no connection'))
    let isRepeated = false
    const done: Answered = (error, results) => {
      if (error && isForgotten(error) && !isRepeated) {
        isRepeated = true
        client.query(new ScopedRead(reads, types, done))
        return
      }
      if (!error) {
        release()
        resolve(results)
        return
      }
      // What the server refused is over for it; any other connection is not used again.
      const isOver = error instanceof pg.DatabaseError && error.severity === 'ERROR'
      release(isOver ? undefined : error)
      reject(error)
    }
    try {
      client.query(new ScopedRead(reads, types, done))
    } catch (error) {
      // It may have sent a part: nobody else is to wait for the answer.
      release(error as Error)
      reject(error as Error)
    }
  })
  return promise
}
