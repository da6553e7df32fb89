import pg from 'pg'
import { type Read, type Rows, readThrough, type Scope, type Statement } from './scoped-read.ts'

/** Rows of each statement; an index finds them, and they are few: others wait for them. */
export type ReadFew = (scope: Scope, statements: readonly Statement[]) => Promise<Rows[]>

interface Asked extends Read {
  resolve: (results: Rows[] | Promise<Rows[]>) => void
  reject: (error: unknown) => void
}

/** Of one round trip: where pages are not in memory the last of them waits for those of all. */
const MOST_TOGETHER = 8

/**
 * Short reads. What is asked in one turn of the event loop goes in few round trips, each read in the name of its own
 * tenant: what a round trip costs is more than a few rows do. One that fails fails alone.
 */
export function sharedReads(pool: pg.Pool): ReadFew {
  let asked: Asked[] = []

  const alone = async (read: Read): Promise<Rows[]> => (await readThrough(pool, [read]))[0] as Rows[]

  async function together(reads: readonly Asked[]): Promise<void> {
    try {
      const found = await readThrough(pool, reads)
      for (const [nth, { resolve }] of reads.entries()) resolve(found[nth] as Rows[])
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

  return (scope, statements) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(ask)
      asked.push({ scope, statements, resolve, reject })
    })
}
