import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Migrations, pending } from '@svc/database'
import pg from 'pg'

/** Whether the database has run what the service's folder says: a look that saves starting a process. */
export async function isSchemaCurrent(ownerUrl: string, serviceFolder: string): Promise<boolean> {
  const index = pathToFileURL(join(serviceFolder, 'src/db/migrations/index.ts')).href
  const { migrations } = (await import(index)) as { migrations: Migrations }
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return (await pending(client, migrations)).length === 0
  } catch {
    return false
  } finally {
    await client.end()
  }
}
