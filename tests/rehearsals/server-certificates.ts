import { freePort } from '@svc/testing'
import type { Redis } from 'ioredis'
import { authorities } from './authorities.ts'
import type { Rotating } from './rotation.ts'

/** The name of what all servers of a mesh show. */
const SERVERS = 'localhost'

export type ServerCertificates = Awaited<ReturnType<typeof serverCertificates>>

/** Whose signature on the certificates of Postgres, Redis and Kafka is believed, and what these show. */
export async function serverCertificates() {
  const servers = authorities('servers')
  const redisPort = await freePort()
  servers.sign(servers.first, SERVERS)

  /** Postgres reads its files again when it is told to, as `pg_ctl reload` does. */
  async function showAtPostgres(sql: Rotating['sql']): Promise<void> {
    const { cert, key } = servers.of(SERVERS)
    for (const [name, text] of Object.entries({ 'tls.crt': cert, 'tls.key': key })) {
      const lines = `SELECT unnest(string_to_array('${text.toString()}', E'\\n'))`
      // Postgres takes a key that it alone may read.
      await sql('order', `COPY (${lines}) TO PROGRAM 'umask 077; cat > ${name}'`)
    }
    for (const setting of [`ssl_cert_file = 'tls.crt'`, `ssl_key_file = 'tls.key'`, 'ssl = on'])
      await sql('order', `ALTER SYSTEM SET ${setting}`)
    await sql('order', 'SELECT pg_reload_conf()')
  }

  /** So does Redis, which then has a port for TLS beside its own. */
  async function showAtRedis(redis: Redis): Promise<void> {
    const { cert, key } = servers.files(SERVERS)
    const files = ['tls-cert-file', cert, 'tls-key-file', key]
    await redis.config('SET', 'tls-auth-clients', 'no', ...files, 'tls-port', redisPort)
  }

  return {
    ...servers,
    sign: (authority: string) => servers.sign(authority, SERVERS),
    of: () => servers.of(SERVERS),
    trusted: servers.files(SERVERS).ca,
    redisPort,
    showAtPostgres,
    showAtRedis,
    /** What a process is told so that it comes to the same servers by TLS. */
    linksOf(told: (variable: string) => string, process: string): Readonly<Record<string, string>> {
      const verified = (text: string): string => {
        const url = new URL(text)
        url.searchParams.set('sslmode', 'verify-full')
        url.searchParams.set('sslrootcert', servers.files(SERVERS).ca)
        return url.href
      }
      const databases = ['DATABASE_URL', 'WORKER_URL']
        .map((kind) => `${process.toUpperCase()}_${kind}`)
        .filter((name) => told(name) !== '')
      const redis = new URL(told('REDIS_URL'))
      redis.port = String(redisPort)
      return {
        ...Object.fromEntries(databases.map((name) => [name, verified(told(name))])),
        REDIS_URL: redis.href.replace(/^redis:/, 'rediss:'),
      }
    },
  }
}
