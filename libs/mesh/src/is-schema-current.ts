import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const MIGRATION_FILE = /^\d{12}-.*(?=\.ts$)/

/** Whether every migration of the folder is on record in the database: a look that saves starting a process. */
export async function isSchemaCurrent(ownerUrl: string, serviceFolder: string): Promise<boolean> {
  const names = readdirSync(join(serviceFolder, 'src/db/migrations')).flatMap((file) => MIGRATION_FILE.exec(file) ?? [])
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const recorded = await client.query<{ name: string }>('SELECT name FROM schema_migration')
    const known = new Set(recorded.rows.map(({ name }) => name))
    return names.every((name) => known.has(name))
  } catch {
    return false
  } finally {
    await client.end()
  }
}
