import { createLogger } from '@svc/logging'
import pg from 'pg'
import { OWNER_LOCK_TIMEOUT } from './when-free.ts'

export type Role = 'owner' | 'app' | 'worker' | 'inspect'

interface ProvisionOptions {
  adminUrl: string
  /** The database. */
  name: string
  /** Prefix of the roles; several databases of one service (tests) share them. */
  service: string
  passwords: Record<Role, string>
  /** Who logs in for a role where that is not the role itself: so that it has two passwords while one replaces the other. */
  logins?: Partial<Record<Role, string>>
  extensions?: string[]
  /** Lets the read-only inspect role log in; for local runs only. */
  inspect?: boolean
}

type UrlOptions = Pick<ProvisionOptions, 'adminUrl' | 'name' | 'service' | 'passwords'>

export interface ProvisionedUrls {
  ownerUrl: string
  appUrl: string
  workerUrl: string
  inspectUrl: string
}

/** One key for the whole cluster: roles are shared by its databases, and concurrent ALTER ROLEs fail. */
const PROVISION_LOCK = 7_263_001

/** What holds for every session of a role, be it of a service or an operator. Compiling the short statements of a service costs more than it saves. */
const SETTINGS: Record<Role, Record<string, string>> = {
  // A lock that a migration waits for holds up every request behind it: shorter than those wait, and again (when-free.ts).
  owner: { statement_timeout: '0', lock_timeout: OWNER_LOCK_TIMEOUT, idle_in_transaction_session_timeout: '60s' },
  app: { statement_timeout: '5s', lock_timeout: '3s', idle_in_transaction_session_timeout: '10s', jit: 'off' },
  worker: { statement_timeout: '30s', lock_timeout: '3s', idle_in_transaction_session_timeout: '30s', jit: 'off' },
  inspect: { statement_timeout: '30s', lock_timeout: '1s', idle_in_transaction_session_timeout: '10s' },
}
const ROLES = Object.keys(SETTINGS) as Role[]

/**
 * Statements, their parameters and the details of their errors hold addresses, hashes and tokens: the server's log has the
 * error without them. Whoever runs the statement still gets all of it.
 */
const UNTOLD = {
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}
const INSUFFICIENT_PRIVILEGE = '42501'

const logger = createLogger('provision')

/**
 * Creates the database, its extensions and its four roles, or brings existing ones to the same state. None of the
 * roles is superuser, may bypass row security or create anything outside its database. Safe to run concurrently.
 */
export async function provision(options: ProvisionOptions): Promise<ProvisionedUrls> {
  const admin = new pg.Client({ connectionString: options.adminUrl })
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [PROVISION_LOCK])
    for (const role of ROLES) await ensureRole(admin, options, role)
    await ensureDatabase(admin, options)
    await prepareDatabase(options)
  } finally {
    await admin.end()
  }
  return provisionedUrls(options)
}

async function ensureRole(admin: pg.Client, options: ProvisionOptions, role: Role): Promise<void> {
  const name = `${options.service}_${role}`
  const login = options.logins?.[role] ?? name
  const mayLogIn = role === 'inspect' && !options.inspect ? 'NOLOGIN' : 'LOGIN'
  const rights = `${mayLogIn} PASSWORD ${pg.escapeLiteral(options.passwords[role])}`
  await ensureRoleOf(admin, name, role, login === name ? rights : '')
  if (login === name) return
  await ensureRoleOf(admin, login, role, rights)
  // It is the role from its first statement on: what it makes is the role's, and policies and grants of the role hold.
  await admin.query(`GRANT ${pg.escapeIdentifier(name)} TO ${pg.escapeIdentifier(login)}`)
  await admin.query(`ALTER ROLE ${pg.escapeIdentifier(login)} SET role = ${pg.escapeLiteral(name)}`)
}

/** Makes a role, or an existing one the same, with what holds for sessions of this kind. */
async function ensureRoleOf(admin: pg.Client, called: string, role: Role, rights: string): Promise<void> {
  const name = pg.escapeIdentifier(called)
  const known = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [called])
  if (known.rowCount === 0) await admin.query(`CREATE ROLE ${name}`)
  await admin.query(`ALTER ROLE ${name} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS ${rights}`)
  for (const [setting, value] of Object.entries(SETTINGS[role]))
    await admin.query(`ALTER ROLE ${name} SET ${setting} = ${pg.escapeLiteral(value)}`)
  for (const [setting, value] of Object.entries(UNTOLD)) await keepUntold(admin, name, setting, value)
}

/** An administrator who is no superuser may lack the right: then the server's own configuration has to say it. */
async function keepUntold(admin: pg.Client, role: string, setting: string, value: string): Promise<void> {
  try {
    await admin.query(`ALTER ROLE ${role} SET ${setting} = ${pg.escapeLiteral(value)}`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error
    logger.warn({ role, setting, value }, "the server's log may hold personal data: set this in its configuration")
  }
}

async function ensureDatabase(admin: pg.Client, { name, service }: ProvisionOptions): Promise<void> {
  const known = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (known.rowCount) return
  // An administrator who is no superuser must be a member of the role to give it the database.
  await admin.query(`GRANT ${pg.escapeIdentifier(`${service}_owner`)} TO CURRENT_USER`)
  await admin.query(
    `CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${pg.escapeIdentifier(`${service}_owner`)}
       ENCODING 'UTF8' TEMPLATE template0`,
  )
}

async function prepareDatabase(options: ProvisionOptions): Promise<void> {
  const url = new URL(options.adminUrl)
  url.pathname = `/${options.name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    for (const extension of options.extensions ?? [])
      await client.query(`CREATE EXTENSION IF NOT EXISTS ${pg.escapeIdentifier(extension)}`)
    await grantConnect(client, options)
    await client.query(`
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      GRANT USAGE ON SCHEMA public TO ${rolesOf(options.service)};`)
  } finally {
    await client.end()
  }
}

/** Only the roles of the service may connect. These grants are of the server, so that no copy of a database has them. */
export async function grantConnect(
  admin: pg.Client,
  { name, service }: Pick<ProvisionOptions, 'name' | 'service'>,
): Promise<void> {
  const database = pg.escapeIdentifier(name)
  await admin.query(`
    REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
    GRANT CONNECT ON DATABASE ${database} TO ${rolesOf(service)};`)
}

const rolesOf = (service: string) => ROLES.map((role) => pg.escapeIdentifier(`${service}_${role}`)).join(', ')

export function provisionedUrls(options: UrlOptions): ProvisionedUrls {
  const url = (role: Role) => roleUrl(options, role)
  return { ownerUrl: url('owner'), appUrl: url('app'), workerUrl: url('worker'), inspectUrl: url('inspect') }
}

function roleUrl(options: UrlOptions, role: Role): string {
  const url = new URL(options.adminUrl)
  url.username = `${options.service}_${role}`
  url.password = encodeURIComponent(options.passwords[role])
  url.pathname = `/${options.name}`
  return url.href
}
