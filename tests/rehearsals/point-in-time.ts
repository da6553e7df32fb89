import { execFile } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, type Servers, startChild, whenReady } from '@svc/servers'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { postgresBinFolder } from '../../libs/servers/native.mjs'

const run = promisify(execFile)
const id = pg.escapeIdentifier
const MAX_OUTPUT = 64 * 1024 * 1024

type Archiving = Pick<Servers, 'databaseAdminUrl' | 'kill'>

/** One server's base backup and the log that it has written since. */
export interface Backup {
  /** How long the base backup took, and the bytes of it. */
  seconds: number
  megabytes: number
  /** The database as it was at that moment, put into a new one of this name; the server goes on meanwhile. Answers how long it took. */
  restoreInto(name: string, owner: string, database: string, at: Date): Promise<number>
}

/** Lets the server archive its log, as docs/runbooks/restore.md wants it; it starts anew for that. */
export async function archiveLog(servers: Archiving): Promise<void> {
  const archive = await archiveOf(servers)
  await asAdmin(servers.databaseAdminUrl, async (admin) => {
    await admin.query(`ALTER SYSTEM SET archive_mode = on`)
    await admin.query(`ALTER SYSTEM SET archive_timeout = '60s'`)
    await admin.query(`ALTER SYSTEM SET archive_command = 'mkdir -p ${archive} && cp %p ${archive}/%f'`)
  })
  servers.kill('postgres', 'SIGINT')
  await eventually(() =>
    asAdmin(servers.databaseAdminUrl, async (admin) => {
      const { rows } = await admin.query('SHOW archive_mode')
      return rows[0].archive_mode === 'on'
    }),
  )
}

/** Takes a base backup of the whole server while it works. */
export async function takeBackup(servers: Archiving, folder: string): Promise<Backup> {
  const archive = await archiveOf(servers)
  const base = join(dirname(archive), 'base')
  const since = performance.now()
  const from = ['-d', servers.databaseAdminUrl, '-D', base, '-X', 'none', '-c', 'fast', '--no-sync']
  await asPostgres('pg_basebackup', from)
  const seconds = (performance.now() - since) / 1_000
  const { stdout } = await run('du', ['-sm', base])
  return {
    seconds,
    megabytes: Number.parseInt(stdout, 10),
    restoreInto: async (name, owner, database, at) => {
      const started = performance.now()
      await asAdmin(servers.databaseAdminUrl, async (admin) => {
        await archived(admin)
        await admin.query(`CREATE DATABASE ${id(name)} OWNER ${id(owner)}`)
      })
      const recovered = await recover({ base, archive, folder, at })
      try {
        const dump = join(dirname(archive), `${name}.dump`)
        await asPostgres('pg_dump', ['--format=custom', `--file=${dump}`, urlOf(recovered.url, database)])
        await asPostgres('pg_restore', ['--exit-on-error', '-d', urlOf(servers.databaseAdminUrl, name), dump])
      } finally {
        await recovered.stop()
      }
      return (performance.now() - started) / 1_000
    },
  }
}

/** What is in the log by now is in the archive. */
async function archived(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query('SELECT pg_walfile_name(pg_switch_wal()) AS file')
  await eventually(async () => {
    const { rows: last } = await admin.query('SELECT last_archived_wal >= $1 AS is_there FROM pg_stat_archiver', [
      rows[0].file,
    ])
    return last[0].is_there
  })
}

/** A server beside ours, from the base backup and the archived log up to that moment. */
async function recover(from: { base: string; archive: string; folder: string; at: Date }) {
  const data = join(dirname(from.base), `recovered-${Date.now()}`)
  const port = await freePort()
  const logFile = join(from.folder, 'recovered.log')
  await run('cp', ['-a', from.base, data])
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp ${from.archive}/%f %p'`,
      // An offset: Postgres takes no Z here.
      `recovery_target_time = '${from.at.toISOString().replace('Z', '+00')}'`,
      "recovery_target_action = 'promote'",
      'archive_mode = off',
      '',
    ].join('\n'),
  )
  writeFileSync(join(data, 'recovery.signal'), '')
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 300 }
  const child = await startChild({
    name: 'recovered',
    command: join(postgresBinFolder() as string, 'postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    cwd: dirname(from.base),
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    logFile,
    pidFile: join(from.folder, 'recovered.pid'),
    user: 'postgres',
    stopSignal: 'SIGINT',
  })
  const url = `postgres://postgres:test@127.0.0.1:${port}/postgres`
  await whenReady(child, logFile, () =>
    asAdmin(url, async (admin) => {
      const { rows } = await admin.query('SELECT pg_is_in_recovery() AS recovers')
      return rows[0].recovers === false
    }),
  )
  return {
    url,
    async stop() {
      await child.stop()
      await run('rm', ['-rf', data])
    },
  }
}

/** Puts one database in the place of another, which is kept under this name; nobody is connected to either meanwhile. */
export async function replaceDatabase(adminUrl: string, name: string, by: string, kept: string): Promise<void> {
  await asAdmin(adminUrl, async (admin) => {
    await admin.query(`ALTER DATABASE ${id(name)} ALLOW_CONNECTIONS false`)
    await admin.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = ANY($1)', [
      [name, by],
    ])
    await admin.query(`ALTER DATABASE ${id(name)} RENAME TO ${id(kept)}`)
    await admin.query(`ALTER DATABASE ${id(by)} RENAME TO ${id(name)}`)
  })
}

/** The server's clock: the moments that a recovery knows. */
export const momentOf = (adminUrl: string): Promise<Date> =>
  asAdmin(adminUrl, async (admin) => (await admin.query('SELECT clock_timestamp() AS now')).rows[0].now)

export async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

const archiveOf = ({ databaseAdminUrl }: Archiving): Promise<string> =>
  asAdmin(databaseAdminUrl, async (admin) =>
    join(dirname((await admin.query('SHOW data_directory')).rows[0].data_directory), 'archive'),
  )

function asPostgres(program: string, args: string[]) {
  const user = ['--reuid=postgres', '--regid=postgres', '--init-groups', '--']
  return run('setpriv', [...user, join(postgresBinFolder() as string, program), ...args], {
    maxBuffer: MAX_OUTPUT,
    cwd: '/',
  })
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
