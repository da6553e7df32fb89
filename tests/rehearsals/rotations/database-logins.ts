import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Rotating, Rotation } from '../rotation.ts'

const SERVICES = ['order', 'webhook']
const KINDS = { DATABASE: 'app', WORKER: 'worker', OWNER: 'owner' } as const

/** A second login of each role with a password of its own, then the first has none any more. */
export const databaseLogins: Rotation = {
  name: 'database-logins',
  async rotate(rotating) {
    for (const service of SERVICES) await replaceLogins(rotating, service)
  },
}

async function replaceLogins({ roll, command, sql, system }: Rotating, service: string): Promise<void> {
  const NAME = service.toUpperCase()
  const password = randomBytes(24).toString('base64url')
  const loggingIn = (role: string, login: string, secret: string): string => {
    const url = new URL(system.databaseUrls[service]![role as 'app'])
    url.username = login
    url.password = secret
    return url.href
  }
  const urls = Object.fromEntries(
    Object.entries(KINDS).map(([kind, role]) => [
      `${NAME}_${kind}_URL`,
      loggingIn(role, `${service}_${role}_2`, password),
    ]),
  )
  const { [`${NAME}_OWNER_URL`]: _, ...ofProcess } = urls
  const administrator = new URL(loggingIn('owner', 'postgres', 'test'))
  administrator.pathname = '/postgres'
  await command(service, 'provision', { ...urls, [`${NAME}_ADMIN_URL`]: administrator.href })
  await roll([service], ofProcess)
  for (const role of Object.values(KINDS)) await sql(service, `ALTER ROLE ${service}_${role} PASSWORD NULL`)
  for (const role of ['app', 'worker'] as const) {
    if (await admits(system.databaseUrls[service]![role])) throw new Error(`${service}_${role} still logs in`)
  }
  // With what is left alone.
  await roll([service], {})
}

async function admits(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '28P01') throw error
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
