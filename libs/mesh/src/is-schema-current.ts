import { type Migrations, pending } from '@svc/database'
import pg from 'pg'

/** Whether the database has run all of it: a look, where to migrate would take turns and set up an ORM. */
export async function isSchemaCurrent(ownerUrl: string, migrations: Migrations): Promise<boolean> {
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
