import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'

/** The databases of a mesh with servers of its own, as their superuser, who sees what every role does. */
export interface CountedStatements {
  services: string[]
  sql: (service: string, text: string, values?: unknown[]) => Promise<pg.QueryResultRow[]>
  /** Forgets what was counted until now. */
  reset(): Promise<void>
}

/** Restarts Postgres so that it counts statements, those within functions and the plans that are made too: only a server that is started so does. */
export async function countStatements(system: Mesh): Promise<CountedStatements> {
  const services = Object.keys(system.databaseUrls).toSorted()
  const admins = Object.fromEntries(services.map((service) => [service, adminOf(system, service)]))

  async function sql(service: string, text: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client({ connectionString: admins[service]!.href })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  await sql(services[0]!, 'ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements')
  for (const service of services)
    for (const setting of [`track = 'all'`, 'track_planning = on'])
      await sql(service, `ALTER DATABASE ${admins[service]!.pathname.slice(1)} SET pg_stat_statements.${setting}`)
  await system.kill('postgres')
  await eventually(async () => {
    await sql(services[0]!, 'SELECT 1')
    const answer = await fetch(`${system.baseUrl}/health`)
    return answer.ok
  })
  for (const service of services) await sql(service, 'CREATE EXTENSION pg_stat_statements')
  return {
    services,
    sql,
    async reset() {
      for (const service of services) await sql(service, 'SELECT pg_stat_statements_reset(), pg_stat_reset()')
    },
  }
}

function adminOf({ databaseUrls }: Pick<Mesh, 'databaseUrls'>, service: string): URL {
  const url = new URL(databaseUrls[service]?.owner as string)
  url.username = 'postgres'
  url.password = 'test'
  return url
}
