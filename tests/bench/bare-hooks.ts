import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { freePort, type Mesh } from '@svc/testing'
import pg from 'pg'

interface BareHooks {
  url: string
  process: ChildProcess
  stop(): void
}

/** One express process that inserts the bytes of hooks, on the Postgres of a mesh and in a table of its own. */
export async function startBareHooks({ databaseUrls }: Pick<Mesh, 'databaseUrls'>): Promise<BareHooks> {
  const owner = databaseUrls['ingestion']?.owner ?? ''
  const setup = new pg.Client({ connectionString: owner })
  await setup.connect()
  await setup.query('CREATE SCHEMA IF NOT EXISTS baseline')
  await setup.query('CREATE TABLE baseline.hooks (id uuid PRIMARY KEY, body bytea, received_at timestamptz NOT NULL)')
  await setup.end()

  const port = await freePort()
  const child = fork(`${import.meta.dirname}/bare-hooks-server.ts`, {
    env: { ...process.env, PORT: String(port), DATABASE_URL: owner, NODE_ENV: 'production' },
    execArgv: ['--conditions=source'],
  })
  await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, process: child, stop: () => void child.kill() }
}
