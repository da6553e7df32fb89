import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Migrations, pending } from '@svc/database'
import pg from 'pg'
import { type MeshProcess, programOf } from './find-processes.ts'

/** Whether the database has run what the service's code says: a look that saves starting a process. */
export async function isSchemaCurrent(ownerUrl: string, service: MeshProcess): Promise<boolean> {
  const index = pathToFileURL(join(service.folder, programOf(service, 'db/migrations/index'))).href
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
