import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { grpcServer } from '@svc/grpc'
import { type Tls, tlsFromEnv } from '../src/tls.ts'
import { callBy, merchant, orderClient, orderHandlers, SECRET } from './order-service.ts'

let folder: string
let mesh: Tls
let stranger: Tls
let webhook: Tls
let server: ReturnType<typeof grpcServer>

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** An authority of its own, and a certificate for localhost and the processes that it has signed. */
function certificates(name: string, processes = ['gateway']): Tls {
  const ca = `${name}-ca`
  openssl('req', '-x509', ...NEW_KEY, '-keyout', `${ca}.key`, '-out', `${ca}.pem`, '-subj', `/CN=${ca}`, '-days', '2')
  return leafOf(name, name, processes)
}

/** A certificate for localhost and the processes, signed by the authority of that name. */
function leafOf(authority: string, name: string, processes: readonly string[]): Tls {
  const [ca, leaf] = [`${authority}-ca`, `${name}-leaf`]
  const request = [
    '-subj',
    `/CN=${leaf}`,
    '-addext',
    `subjectAltName=${['localhost', ...processes].map((each) => `DNS:${each}`).join()}`,
  ]
  openssl('req', ...NEW_KEY, '-keyout', `${leaf}.key`, '-out', `${leaf}.csr`, ...request)
  const signing = ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-copy_extensions', 'copy', '-days', '2']
  openssl('x509', '-req', '-in', `${leaf}.csr`, '-out', `${leaf}.pem`, ...signing)
  const [caFile, cert, key] = [`${ca}.pem`, `${leaf}.pem`, `${leaf}.key`].map((name) => join(folder, name))
  return { ca: caFile!, cert: cert!, key: key! }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grpc-tls-'))
  mesh = certificates('mesh')
  webhook = leafOf('mesh', 'webhook', ['webhook', 'not-gateway', '*'])
  stranger = certificates('stranger')
  server = serverOf(mesh)
  await server.start?.()
})
afterAll(async () => {
  await server?.stop?.()
  await rm(folder, { recursive: true })
})

const serverOf = (tls: Tls, port = 0) =>
  grpcServer({
    host: '127.0.0.1',
    port,
    audience: 'order',
    secrets: { gateway: [SECRET] },
    services: [[OrderServiceService, orderHandlers({ getOrder: async () => ({ order: undefined }) })]],
    tls,
  })

async function ask(tls: Tls | undefined, of = server): Promise<unknown> {
  const orders = orderClient(of.address().replace('127.0.0.1', 'localhost'), { tls })
  try {
    return await orders.as(merchant, { deadlineMs: 10_000 }).getOrder({ id: 'o-1' })
  } finally {
    orders.close()
  }
}

const refused = { code: 'service_unavailable' }

/** Asks until it is answered. */
async function answered(call: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      return void (await call())
    } catch (error) {
      expect(error).toMatchObject(refused)
    }
}

describe('a link under TLS', () => {
  test('serves a process that the authority of the mesh has signed', async () => {
    expect(await ask(mesh)).toEqual({ order: undefined })
  })

  test('is opened to an address that a name stands for only where the certificate has the name', async () => {
    const found = async (host: string) => {
      const port = server.address().split(':')[1]
      const orders = orderClient(`${host}:${port}`, { tls: mesh, lookup: async () => ['127.0.0.1'] })
      try {
        return await orders.as(merchant, { deadlineMs: 10_000 }).getOrder({ id: 'o-1' })
      } finally {
        orders.close()
      }
    }
    expect(await found('localhost')).toEqual({ order: undefined })
    await expect(found('elsewhere.test')).rejects.toMatchObject(refused)
    await expect(found('127.0.0.1')).rejects.toMatchObject(refused)
  })

  test('refuses a client without TLS, without a certificate of the mesh, and of another authority', async () => {
    await expect(ask(undefined)).rejects.toMatchObject(refused)
    await expect(ask({ ...stranger, ca: mesh.ca })).rejects.toMatchObject(refused)
  })

  test('answers no process whose certificate names another one, whatever it has signed', async () => {
    callBy('shared')
    await expect(ask(webhook)).rejects.toMatchObject({ code: 'internal_error' })
    callBy('unary')
    await expect(ask(webhook)).rejects.toMatchObject({ code: 'internal_error' })
    expect(await ask(mesh)).toEqual({ order: undefined })
  })

  test('is not opened by a client to a server of another authority', async () => {
    await expect(ask({ ...mesh, ca: stranger.ca })).rejects.toMatchObject(refused)
  })
})

describe('a process that runs while its files are replaced', () => {
  /** What a process was told of, with what these files hold. */
  async function put(name: string, { ca, cert, key }: Tls): Promise<Tls> {
    const own = { ca: join(folder, `${name}.ca`), cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
    await Promise.all([copyFile(ca, own.ca), copyFile(cert, own.cert), copyFile(key, own.key)])
    return { ...own, readEveryMs: 20 }
  }

  test('shows and believes what they hold now, on both ends of each connection that is made from then on', async () => {
    const first = serverOf(await put('server', mesh))
    await first.start?.()
    const client = orderClient(first.address().replace('127.0.0.1', 'localhost'), { tls: await put('client', mesh) })
    const call = () => client.as(merchant, { deadlineMs: 10_000 }).getOrder({ id: 'o-1' })
    expect(await call()).toEqual({ order: undefined })
    await put('server', stranger)
    await answered(() => ask(stranger, first))
    await expect(ask(mesh, first)).rejects.toMatchObject(refused)
    // On the connection of before.
    expect(await call()).toEqual({ order: undefined })
    const port = Number(first.address().split(':')[1])
    await first.stop?.()
    const second = serverOf(stranger, port)
    await second.start?.()
    await expect(call()).rejects.toMatchObject(refused)
    await put('client', stranger)
    await answered(call)
    client.close()
    await second.stop?.()
  })
})

describe('the environment', () => {
  const env = (changes: Record<string, string> = {}) => ({
    GRPC_TLS_CA: join(folder, 'mesh-ca.pem'),
    GRPC_TLS_CERT: join(folder, 'mesh-leaf.pem'),
    GRPC_TLS_KEY: join(folder, 'mesh-leaf.key'),
    ...changes,
  })

  test('names the files, all three or none', () => {
    expect(tlsFromEnv(env())).toEqual(mesh)
    expect(tlsFromEnv({ NODE_ENV: 'development' })).toBeUndefined()
    expect(() => tlsFromEnv(env({ GRPC_TLS_KEY: '' }))).toThrow('go together')
  })

  test('without the files is refused where nothing says that this is no production; TLS is switched off by name alone', () => {
    expect(() => tlsFromEnv({})).toThrow('GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY: are missing')
    expect(tlsFromEnv({ GRPC_TLS: 'off' })).toBeUndefined()
    expect(() => tlsFromEnv(env({ GRPC_TLS: 'off' }))).toThrow('go together')
  })

  test('with a file that cannot be read stops the process, not the encryption', () => {
    expect(() => tlsFromEnv(env({ GRPC_TLS_CA: join(folder, 'absent.pem') }))).toThrow('GRPC_TLS_CA')
  })
})
