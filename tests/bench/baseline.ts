import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort, type Mesh } from '@svc/testing'
import pg from 'pg'

export interface Baseline {
  url: string
  process: ChildProcess
  stop(): void
}

/** The baseline server beside a mesh, on the Postgres of the mesh, with tables of its own. */
export async function startBaseline({ databaseUrls }: Pick<Mesh, 'databaseUrls'>): Promise<Baseline> {
  const owner = databaseUrls['order']?.owner ?? ''
  const setup = new pg.Client({ connectionString: owner })
  await setup.connect()
  await setup.query('CREATE SCHEMA IF NOT EXISTS baseline')
  await setup.query('CREATE TABLE baseline.orders (LIKE public.orders INCLUDING ALL)')
  await setup.query(
    'CREATE TABLE baseline.positions (rider_id uuid PRIMARY KEY, lat float8, lng float8, at timestamptz)',
  )
  await setup.end()

  const port = await freePort()
  const child = fork(join(import.meta.dirname, 'baseline-server.ts'), {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: owner,
      READS_ORDERS: 'baseline.orders',
      NODE_ENV: 'production',
    },
    execArgv: ['--conditions=source'],
  })
  await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, process: child, stop: () => void child.kill() }
}
