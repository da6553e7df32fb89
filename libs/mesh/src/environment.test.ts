import { expect, test } from '@jest/globals'
import { environmentOf, ownerEnvironmentOf } from './environment.ts'
import type { MeshProcess } from './find-processes.ts'
import { portNames } from './ports.ts'
import { secretsFrom } from './secrets.ts'
import type { MeshSettings } from './settings.ts'

const process = (name: string, kind: MeshProcess['kind']): MeshProcess => ({
  name,
  kind,
  replica: 1,
  folder: '/',
  entry: 'src/main.ts',
})
const processes = [
  process('providers', 'providers'),
  process('admin', 'service'),
  process('ingestion', 'service'),
  process('order', 'service'),
  process('wallet', 'service'),
  process('gateway', 'gateway'),
]
const secrets = secretsFrom('seed')
const settings: MeshSettings = {
  root: '/',
  folder: '/',
  processes,
  servers: {
    databaseAdminUrl: 'postgres://postgres:x@127.0.0.1:1/postgres',
    redisUrl: 'redis://127.0.0.1:2',
    kafkaBrokers: ['127.0.0.1:3'],
  },
  ports: Object.fromEntries(portNames(processes).map((name, index) => [name, 4000 + index])),
  secrets,
  rolePassword: secrets.rolePassword,
  prefix: 'p_',
  logLevel: 'info',
}
const find = (name: string) => processes.find((one) => one.name === name) as MeshProcess
const environment = (name: string) => environmentOf(find(name), settings)

test('a process gets no secret of another one: no foreign database, key or pair of callers', () => {
  const order = environment('order')
  const foreign = Object.keys(order).filter((name) =>
    /^(ADMIN_.*_URL|API_KEY_PEPPER|PASSWORD_PEPPER|AUDIT_KEY|TOKEN_SIGNING_JWK|ADMIN_STATIC_TOKEN|CALLER_SECRET_GATEWAY_ADMIN)$/.test(
      name,
    ),
  )
  expect(foreign).toEqual([])
  expect(Object.keys(environment('gateway')).filter((name) => /_(DATABASE|WORKER|OWNER)_URL$/.test(name))).toEqual([])
})

test('a running service cannot enter as the owner of its tables', () => {
  expect(environment('order')).not.toHaveProperty('ORDER_OWNER_URL')
})

test('caller and called find the same secret for their pair', () => {
  expect(environment('gateway')['CALLER_SECRET_GATEWAY_ORDER']).toBe(
    environment('order')['CALLER_SECRET_GATEWAY_ORDER'],
  )
  expect(environment('order')['CALLER_SECRET_GATEWAY_ORDER']).toHaveLength(43)
})

test('each role of a service enters its own database with its own password', () => {
  const { ORDER_DATABASE_URL, ORDER_WORKER_URL, ORDER_OWNER_URL } = ownerEnvironmentOf(find('order'), settings)
  const urls = [ORDER_DATABASE_URL, ORDER_WORKER_URL, ORDER_OWNER_URL].map((url) => new URL(url as string))
  expect(urls.map((url) => url.username)).toEqual(['order_app', 'order_worker', 'order_owner'])
  expect(new Set(urls.map((url) => url.password)).size).toBe(3)
  expect(urls.every((url) => url.pathname === '/p_order')).toBe(true)
})

test('the secret of the payment provider is known to it, to who calls it and to who verifies its hooks, alone', () => {
  const knowing = processes.filter(({ name }) => JSON.stringify(environment(name)).includes(secrets.paymentsSecretKey))
  expect(knowing.map(({ name }) => name)).toEqual(['providers', 'ingestion', 'wallet'])
})

test('the address of a service names every replica of it', () => {
  const replicated = [...processes, { ...find('order'), replica: 2 }]
  const ports = Object.fromEntries(portNames(replicated).map((name, index) => [name, 4000 + index]))
  const { ORDER_GRPC_ADDRESS } = environmentOf(find('gateway'), { ...settings, processes: replicated, ports })
  expect(ORDER_GRPC_ADDRESS).toBe(`127.0.0.1:${ports['order.grpc']},127.0.0.1:${ports['order-2.grpc']}`)
})

test('every address leads to the port that the service is told to listen on', () => {
  expect(environment('gateway')['ORDER_GRPC_ADDRESS']).toBe(`127.0.0.1:${environment('order')['GRPC_PORT']}`)
})

test('every process finds the code that the ones before it have compiled', () => {
  const { NODE_COMPILE_CACHE } = globalThis.process.env
  const expected = NODE_COMPILE_CACHE ?? '/.local/cache/compiled'
  expect(processes.map(({ name }) => environment(name)['NODE_COMPILE_CACHE'])).toEqual(processes.map(() => expected))
})
