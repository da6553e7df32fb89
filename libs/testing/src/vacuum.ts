import pg from 'pg'
import { eventually } from './eventually.ts'

/**
 * Vacuums and analyses tables until every page of them is known to be visible to all, as where nobody has written for long: what
 * the planner chooses, and how much an index alone answers, hangs on that. It waits for whoever vacuums already (the server
 * itself may, after so many rows) and for the last transaction that began before the rows were there.
 */
export async function vacuum(ownerUrl: string, ...tables: readonly string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query("SET lock_timeout = '120s'")
    for (const table of tables) {
      await eventually(() => isAllVisible(owner, table), { message: `${table} has no pages that are visible to all` })
    }
  } finally {
    await owner.end()
  }
}

async function isAllVisible(owner: pg.Client, table: string): Promise<boolean> {
  // With the indexes also where little is dead: a page with a pointer to what was there is not marked.
  await owner.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON) ${table}`)
  const { rows } = await owner.query(
    'SELECT relallvisible >= relpages AS visible FROM pg_class WHERE oid = $1::regclass',
    [table],
  )
  return rows[0].visible
}
