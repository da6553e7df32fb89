import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { CALLS } from '@svc/contracts/calls'
import { parse } from 'yaml'
import { tlsFromEnv } from '../../../libs/grpc/src/tls.ts'
import { processNames } from '../../images/src/processes.ts'
import { composeSecrets } from './compose-secrets.ts'

type ReadConfig = (env: NodeJS.ProcessEnv) => object

interface Service {
  image: string
  build?: { context: string; dockerfile: string; args: { PROCESS: string } }
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  command?: unknown[]
  healthcheck?: { test: unknown[] }
}

const root = join(import.meta.dirname, '../../..')
const PROCESSES = processNames(root)
const file = readFileSync(join(import.meta.dirname, '../compose.yaml'), 'utf8')
const { services } = parse(file, { merge: true }) as { services: Record<string, Service> }
const secrets = composeSecrets('of this test')
const configs = new Map<string, ReadConfig>()

beforeAll(async () => {
  for (const name of PROCESSES) {
    const folder = name === 'gateway' ? 'gateway' : `services/${name}`
    const { readConfig } = (await import(join(root, folder, 'src/config.ts'))) as { readConfig: ReadConfig }
    configs.set(name, readConfig)
  }
})

/** What a container is told, with what the image says. */
const environmentOf = (name: string): Record<string, string> => ({
  HOST: '0.0.0.0',
  ...Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
      key,
      String(value).replace(/\$\{(\w+)\}/g, (_, secret: string) => secrets[secret] ?? `no ${secret}`),
    ]),
  ),
})

test('every process is there, of its own image, and each service is migrated before it', () => {
  const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('delivery-dispatch/'))
  const expected = PROCESSES.flatMap((name) => (name === 'gateway' ? [name] : [name, `${name}-migrate`]))
  expect(ours.map(([name]) => name).sort()).toEqual(expected.sort())
  for (const [name, { image, build, depends_on }] of ours) {
    const process = name.replace('-migrate', '')
    expect(image).toBe(`delivery-dispatch/${process}:local`)
    if (name !== process) continue
    expect(build).toEqual({ context: '../..', dockerfile: 'deploy/images/Dockerfile', args: { PROCESS: name } })
    if (name !== 'gateway')
      expect(depends_on?.[`${name}-migrate`]).toEqual({ condition: 'service_completed_successfully' })
  }
  for (const { depends_on = {} } of Object.values(services))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
})

test('what a container runs is words: one with a colon that is not quoted is none', () => {
  const words = Object.values(services).flatMap(({ command = [], healthcheck }) => [
    ...command,
    ...(healthcheck?.test ?? []),
  ])
  expect(words.length).toBeGreaterThan(20)
  expect(words.filter((word) => typeof word !== 'string')).toEqual([])
})

test.each(PROCESSES)('%s starts with what it is told, and knows each name', (name) => {
  const asked = new Set<string>()
  const watched = new Proxy(environmentOf(name), {
    get(target, key) {
      asked.add(String(key))
      return target[String(key)]
    },
  })
  configs.get(name)!(watched)
  tlsFromEnv(watched)
  expect(Object.keys(environmentOf(name)).filter((key) => !asked.has(key))).toEqual([])
})

test('every secret is one that is made, and every one that is made is wanted', () => {
  const wanted = new Set([...file.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
  expect(wanted).toEqual(new Set(Object.keys(secrets)))
})

test('a pair of processes shares a secret, and nobody else has it', () => {
  for (const [from, all] of Object.entries(CALLS))
    for (const to of all) {
      const key = `caller_secret_${from}_${to}`.toUpperCase()
      const holders = Object.entries(services).filter(([, { environment = {} }]) => key in environment)
      expect(holders.map(([name]) => name).sort()).toEqual([from, to].sort())
      expect(environmentOf(from)[`${to.toUpperCase()}_GRPC_ADDRESS`]).toBe(`${to}:7000`)
    }
})

test('a migration is told what its commands ask for', () => {
  for (const name of PROCESSES.filter((one) => one !== 'gateway')) {
    const NAME = name.toUpperCase()
    const told = environmentOf(`${name}-migrate`)
    expect(Object.keys(told).sort()).toEqual(
      ['ADMIN', 'DATABASE', 'OWNER', 'WORKER']
        .map((url) => `${NAME}_${url}_URL`)
        .concat('HOST')
        .sort(),
    )
    const { DATABASE_URL: app, WORKER_URL: worker } = Object.fromEntries(
      Object.entries(told).map(([key, value]) => [key.replace(`${NAME}_`, ''), value]),
    )
    expect(environmentOf(name)).toMatchObject({ [`${NAME}_DATABASE_URL`]: app, [`${NAME}_WORKER_URL`]: worker })
  }
})
