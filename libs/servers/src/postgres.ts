import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { postgresBinFolder } from '../native.mjs'
import { asUser, type Child, startChild, whenReady } from './child.ts'
import type { ServerOptions } from './native-servers.ts'

const run = promisify(execFile)
const SUPERUSER = 'postgres'

/** A PostgreSQL of our own on TCP only, its data kept below `folder`; never as root. */
export async function startPostgres(options: ServerOptions & { password: string; durable: boolean }) {
  const binFolder = postgresBinFolder()
  if (!binFolder) throw new Error('PostgreSQL with PostGIS is not installed: apt-get install postgresql-15-postgis-3')
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  const home = await postgresHome(join(options.folder, 'postgres'), user)
  const data = join(home, 'data')
  if (!existsSync(join(data, 'PG_VERSION')))
    await initialise({ binFolder, home, data, user, password: options.password })

  const logFile = join(options.logFolder, 'postgres.log')
  const child = await startChild({
    name: 'postgres',
    command: join(binFolder, 'postgres'),
    args: ['-D', data, '-p', String(options.port), ...settings(options.durable)],
    cwd: home,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    logFile,
    pidFile: join(options.folder, 'postgres.pid'),
    user,
    stopSignal: 'SIGINT',
  })
  await ready(child, logFile, join(binFolder, 'pg_isready'), options.port)
  return { child, url: `postgres://${SUPERUSER}:${options.password}@127.0.0.1:${options.port}/postgres` }
}

function settings(durable: boolean): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    // A killed process loses nothing either way; without them only a power cut would.
    ...(!durable && { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function ready(child: Child, logFile: string, pgIsReady: string, port: number) {
  await whenReady(child, logFile, async () => {
    await run(pgIsReady, ['-q', '-h', '127.0.0.1', '-p', String(port)])
    return true
  })
}

async function initialise(options: {
  binFolder: string
  home: string
  data: string
  user: string | undefined
  password: string
}) {
  rmSync(options.data, { recursive: true, force: true })
  const passwordFile = join(options.home, 'password')
  const as = (command: string, args: string[]) => run('setpriv', [...asUser(options.user), '--', command, ...args])
  writeFileSync(passwordFile, options.password, { mode: 0o600 })
  if (options.user) await run('chown', [options.user, passwordFile])
  const partial = `${options.data}.new`
  rmSync(partial, { recursive: true, force: true })
  const where = ['-D', partial, '-U', SUPERUSER, '--pwfile', passwordFile]
  const how = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  await as(join(options.binFolder, 'initdb'), [...where, ...how])
  await as('mv', [partial, options.data])
  rmSync(passwordFile)
}

/** The folder itself where the server's user can reach it, else a link to one below /var/lib. */
async function postgresHome(folder: string, user: string | undefined): Promise<string> {
  mkdirSync(dirname(folder), { recursive: true })
  if (!user) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }
  if (!lstatSync(folder, { throwIfNoEntry: false })) {
    if (await canEnter(user, dirname(folder))) mkdirSync(folder)
    else symlinkSync(reachableHome(folder), folder)
  }
  const linked = lstatSync(folder).isSymbolicLink()
  const home = linked ? reachableHome(folder) : folder
  mkdirSync(home, { recursive: true })
  await run('chown', [`${user}:`, home])
  await run('chmod', ['700', home])
  return home
}

function reachableHome(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  return join('/var/lib/delivery-dispatch', name)
}

async function canEnter(user: string, folder: string): Promise<boolean> {
  try {
    await run('setpriv', [...asUser(user), '--', 'test', '-x', folder])
    return true
  } catch {
    return false
  }
}
