import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
const read = (name: string) => readFile(join(folder, name))

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** An authority of its own, and a certificate for localhost and the processes that it has signed. */
async function certificates(name: string, processes = ['gateway']): Promise<Tls> {
  const ca = `${name}-ca`
  openssl('req', '-x509', ...NEW_KEY, '-keyout', `${ca}.key`, '-out', `${ca}.pem`, '-subj', `/CN=${ca}`, '-days', '2')
  return leafOf(name, name, processes)
}

/** A certificate for localhost and the processes, signed by the authority of that name. */
async function leafOf(authority: string, name: string, processes: readonly string[]): Promise<Tls> {
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
  return { ca: await read(`${ca}.pem`), cert: await read(`${leaf}.pem`), key: await read(`${leaf}.key`) }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grpc-tls-'))
  mesh = await certificates('mesh')
  webhook = await leafOf('mesh', 'webhook', ['webhook', 'not-gateway', '*'])
  stranger = await certificates('stranger')
  server = grpcServer({
    host: '127.0.0.1',
    port: 0,
    audience: 'order',
    secrets: { gateway: [SECRET] },
    services: [[OrderServiceService, orderHandlers({ getOrder: async () => ({ order: undefined }) })]],
    tls: mesh,
  })
  await server.start?.()
})
afterAll(async () => {
  await server?.stop?.()
  await rm(folder, { recursive: true })
})

async function ask(tls: Tls | undefined): Promise<unknown> {
  const orders = orderClient(server.address().replace('127.0.0.1', 'localhost'), { tls })
  try {
    return await orders.as(merchant, { deadlineMs: 10_000 }).getOrder({ id: 'o-1' })
  } finally {
    orders.close()
  }
}

const refused = { code: 'service_unavailable' }

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
