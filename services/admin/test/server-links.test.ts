import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openDatabase } from '@svc/database'
import { surroundingsOf } from '@svc/testing'
import { kafkaDriver } from '../../../libs/kafka/src/driver.ts'
import { connectRedis } from '../src/peers/connect-redis.ts'
import { admin } from '../src/service.ts'

/** With which a client of Postgres asks for TLS. */
const TLS_REQUEST_BYTES = 8
const authorities = tls.getCACertificates('default')
const fronts: Server[] = []
const links: Socket[] = []
let folder: string
let around: Awaited<ReturnType<typeof surroundingsOf>>

const file = (name: string) => join(folder, name)
const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

function makeAuthority(name: string): void {
  openssl('req', '-x509', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`)
}

/** A certificate for that host, signed by that authority. */
function certificateOf(authority: string, host: string): { cert: Buffer; key: Buffer } {
  const names = ['-subj', '/CN=server', '-addext', `subjectAltName=DNS:${host}`]
  openssl('req', ...NEW_KEY, '-keyout', 'leaf.key', '-out', 'leaf.csr', ...names)
  const by = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-copy_extensions', 'copy']
  openssl('x509', '-req', '-in', 'leaf.csr', '-out', 'leaf.crt', ...by)
  return { cert: readFileSync(file('leaf.crt')), key: readFileSync(file('leaf.key')) }
}

/** A port of localhost that takes TLS alone, with that certificate, and passes on to a real server what comes by it. */
async function front(kind: Kind, { cert, key }: { cert: Buffer; key: Buffer }): Promise<number> {
  const real = serverOf(kind)
  const take = (socket: Socket) => {
    const safe = new tls.TLSSocket(socket, { isServer: true, cert, key })
    const onward = connect(Number(real.port), real.hostname)
    for (const end of [safe, onward]) end.on('error', () => [safe, onward].forEach((each) => each.destroy()))
    safe.pipe(onward).pipe(safe)
    links.push(safe, onward)
  }
  const server = createServer((socket) => {
    if (kind !== 'Postgres') return take(socket)
    socket.once('readable', () => {
      if (!socket.read(TLS_REQUEST_BYTES)) return socket.destroy()
      socket.write('S')
      take(socket)
    })
  })
  fronts.push(server)
  await once(server.listen(0, 'localhost'), 'listening')
  return (server.address() as AddressInfo).port
}

const serverOf = (kind: Kind): URL =>
  new URL(
    {
      Postgres: around.database.url,
      Redis: around.servers.redisUrl,
      Kafka: `kafka://${around.servers.kafkaBrokers[0]}`,
    }[kind],
  )

/** Each goes to that port as a process does that was told of it, and answers what the server says. */
const CLIENTS = {
  Postgres: async (port: number) => {
    const through = (text: string) => {
      const url = new URL(text)
      url.host = `localhost:${port}`
      return `${url.href}?sslmode=verify-full&sslrootcert=${file('trusted.crt')}`
    }
    const { url, workerUrl } = around.database
    const database = await openDatabase({
      name: 'admin',
      url: through(url),
      workerUrl: through(workerUrl),
      migrations: [],
    })
    await database.close()
    return 'answered'
  },
  Redis: async (port: number) => {
    const part = connectRedis(`rediss://localhost:${port}`)
    const failed = once(part.redis, 'error').then(([error]) => Promise.reject(error as Error))
    failed.catch(() => undefined)
    try {
      await Promise.race([part.redis.connect(), failed])
      return (await part.redis.ping()) === 'PONG' && 'answered'
    } finally {
      await part.stop?.()
    }
  },
  Kafka: async (port: number) => {
    const client = await kafkaDriver({ brokers: [`kafkas://localhost:${port}`], clientId: 'test' }).admin()
    await client.close()
    return 'answered'
  },
}
type Kind = keyof typeof CLIENTS
const KINDS = Object.keys(CLIENTS) as Kind[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'server-links-'))
  for (const name of ['trusted', 'stranger']) makeAuthority(name)
  // What NODE_EXTRA_CA_CERTS does for a process.
  tls.setDefaultCACertificates([...authorities, readFileSync(file('trusted.crt'), 'utf8')])
  around = await surroundingsOf(admin)
})

afterAll(async () => {
  tls.setDefaultCACertificates(authorities)
  for (const link of links) link.destroy()
  for (const server of fronts) server.close()
  await around?.release()
  rmSync(folder, { recursive: true })
})

describe('a server', () => {
  test.each(KINDS)('of %s is reached where its certificate is of the authority and names the host', async (kind) => {
    expect(await CLIENTS[kind](await front(kind, certificateOf('trusted', 'localhost')))).toBe('answered')
  })

  test.each(KINDS)('of %s is refused with the certificate of another authority', async (kind) => {
    const port = await front(kind, certificateOf('stranger', 'localhost'))
    await expect(CLIENTS[kind](port)).rejects.toThrow(/unable to verify the first certificate/)
  })

  test.each(KINDS)('of %s is refused with a certificate of another host', async (kind) => {
    const port = await front(kind, certificateOf('trusted', 'elsewhere'))
    await expect(CLIENTS[kind](port)).rejects.toThrow(/does not match certificate's altnames/)
  })
})

test.each([
  ['main', 'REDIS_URL', 'redis://redis.example:6379'],
  ['commands/migrate', 'ADMIN_OWNER_URL', 'postgres://admin_owner:unspoken@db.example/admin?sslmode=require'],
])('in production %s ends at a link in the clear, by the name of %s', async (script, variable, value) => {
  const child = spawn(process.execPath, ['--conditions=source', `src/${script}.ts`], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], ...around.env, NODE_ENV: 'production', GRPC_TLS: 'off', [variable]: value },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  expect(code).not.toBe(0)
  expect(said).toContain(`${variable}: the link is not encrypted and verified`)
  expect(said).not.toContain('unspoken')
})
