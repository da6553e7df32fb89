import pg from 'pg'
import { type Read, type Rows, readThrough, type Scope } from './scoped-read.ts'

/** The SELECT of a row by a unique key of it. */
export interface KeyedStatement {
  text: string
  params: readonly unknown[]
}

export type ReadByKey = (scope: Scope, statement: KeyedStatement) => Promise<Rows>

interface Asked extends Read {
  resolve: (rows: Rows | Promise<Rows>) => void
  reject: (error: unknown) => void
}

/** Of one round trip: where pages are not in memory the last of them waits for those of all. */
const MOST_TOGETHER = 8

/**
 * Reads of rows by their keys. What is asked in one turn of the event loop goes in few round trips, each read in the name of
 * its own tenant: what a round trip costs is more than such a row does. One that fails fails alone.
 */
export function keyedReads(pool: pg.Pool): ReadByKey {
  let asked: Asked[] = []

  const alone = async (read: Read): Promise<Rows> => (await readThrough(pool, [read]))[0]?.[0] as Rows

  async function together(reads: readonly Asked[]): Promise<void> {
    try {
      const found = await readThrough(pool, reads)
      for (const [nth, { resolve }] of reads.entries()) resolve(found[nth]?.[0] as Rows)
    } catch (error) {
      const isOneOfSeveral = reads.length > 1 && (error instanceof pg.DatabaseError || error instanceof TypeError)
      for (const read of reads) {
        if (isOneOfSeveral) read.resolve(alone(read))
        else read.reject(error)
      }
    }
  }

  function ask(): void {
    const all = asked
    asked = []
    for (let at = 0; at < all.length; at += MOST_TOGETHER) void together(all.slice(at, at + MOST_TOGETHER))
  }

  return (scope, statement) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(ask)
      asked.push({ scope, statements: [statement], resolve, reject })
    })
}
