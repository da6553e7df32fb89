import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { tlsFromEnv } from '../../../libs/grpc/src/tls.ts'
import { processNames } from '../../images/src/processes.ts'
import { certificatesFor } from './certificates.ts'
import { find, forEachOverlay, ofKind } from './for-each-overlay.ts'
import { environmentOf } from './process-environment.ts'
import { containersOf, secretReferences, secretsFor } from './secrets.ts'

type ReadConfig = (env: NodeJS.ProcessEnv) => object

const root = join(import.meta.dirname, '../../..')
const PROCESSES = processNames(root)
/** Read by libraries, not by the configuration of a process. */
const OF_LIBRARIES = /^(OTEL_[A-Z_]+|LOG_LEVEL|NODE_EXTRA_CA_CERTS)$/
/** Of providers; who has none leaves them out. */
const OF_PROVIDERS: Readonly<Record<string, string>> = {
  PAYMENTS_SECRET_KEY: 'sk_live_0123456789abcdef',
  PAYMENTS_PREVIOUS_SECRET_KEY: 'sk_live_fedcba9876543210',
  ADMIN_STATIC_TOKEN: 'x'.repeat(32),
  SCIM_TOKEN: 'x'.repeat(16),
}

/** A knob that is one by its name. */
const SECRET = /(_SECRET|_SECRET_KEY|_API_KEY|_ENCRYPTION_KEY|AUDIT_KEY|(?<!PER)_TOKEN|_PEPPER|_JWK|_ACCESS_KEY(_ID)?)$/
const KEYS_PAGE = readFileSync(join(root, 'docs/deploy/keys.md'), 'utf8')

/** How the page calls it. */
const rowOf = (key: string): string =>
  key
    .replace(/^CALLER_SECRET_.*/, 'CALLER_SECRET_<FROM>_<TO>')
    .replace(/^[A-Z]+(?=_(DATABASE|WORKER)_URL$)/, '<SERVICE>')

const configs = new Map<string, ReadConfig>()
const pem = join(mkdtempSync(join(tmpdir(), 'manifests-')), 'file.pem')

beforeAll(async () => {
  writeFileSync(pem, 'a file that can be read')
  for (const name of PROCESSES) {
    const folder = name === 'gateway' ? 'gateway' : `services/${name}`
    const { readConfig } = (await import(join(root, folder, 'src/config.ts'))) as { readConfig: ReadConfig }
    configs.set(name, readConfig)
  }
})
afterAll(() => rmSync(join(pem, '..'), { recursive: true }))

/** What a process makes of its environment, and the names that it looked for. */
function told(name: string, env: Record<string, string>): { config: string; asked: Set<string> } {
  const asked = new Set<string>()
  const watched = new Proxy(env, {
    get(target, key) {
      asked.add(String(key))
      const value = target[String(key)]
      return value?.startsWith('/etc/tls/') ? pem : value
    },
  })
  const config = [configs.get(name)!(watched), tlsFromEnv(watched)]
  return { config: JSON.stringify(config), asked }
}

forEachOverlay('what processes are told', (manifests) => {
  const made = new Map(
    secretsFor(manifests, 'of this test').map(({ metadata, stringData }) => [metadata.name, stringData]),
  )
  const environment = (name: string) =>
    environmentOf(manifests, containersOf([find(manifests, 'Deployment', name)])[0]!, (secret, key, optional) =>
      optional && key !== 'TOKEN_PREVIOUS_JWK' ? (OF_PROVIDERS[key] ?? key) : made.get(secret)?.[key],
    )

  test.each(PROCESSES)('%s starts with it, and knows each name', (name) => {
    const env = environment(name)
    const { asked } = told(name, env)
    const unknown = Object.keys(env).filter((key) => !asked.has(key) && !OF_LIBRARIES.test(key))
    expect(unknown).toEqual([])
  })

  test.each(PROCESSES)('%s is told nothing that it would do by itself', (name) => {
    const env = environment(name)
    const { config } = told(name, env)
    const container = containersOf([find(manifests, 'Deployment', name)])[0]!
    const maps = container.envFrom!.map(
      ({ configMapRef }) => find(manifests, 'ConfigMap', configMapRef!.name).data ?? {},
    )
    // NODE_ENV is said to all processes at once; with certificates, a gateway is the same in either.
    const knobs = maps.flatMap(Object.keys).filter((key) => !OF_LIBRARIES.test(key) && key !== 'NODE_ENV')
    const idle = knobs.filter((knob) => {
      const { [knob]: _without, ...rest } = env
      try {
        return told(name, rest).config === config
      } catch {
        return false
      }
    })
    expect(idle).toEqual([])
  })

  test('a process is given no secret of another pair', () => {
    for (const name of PROCESSES)
      for (const key of Object.keys(environment(name)).filter((one) => one.startsWith('CALLER_SECRET_')))
        expect(key.split('_').slice(2)).toContain(name.toUpperCase())
  })

  test.each(PROCESSES)(
    '%s is given each secret that it knows by reference, and the page on keys says how it is replaced',
    (name) => {
      const { asked } = told(name, environment(name))
      const container = containersOf([find(manifests, 'Deployment', name)])[0]!
      const given = new Set(secretReferences([container]).map(({ key }) => key))
      const secrets = [...asked].filter((key) => SECRET.test(key))
      expect(secrets.filter((key) => !given.has(key))).toEqual([])
      expect([...given].filter((key) => !KEYS_PAGE.includes(`\`${rowOf(key)}\``))).toEqual([])
    },
  )

  test('jobs are told what their commands ask for', () => {
    for (const job of ofKind(manifests, 'Job'))
      for (const container of containersOf([job])) {
        const NAME = job.metadata.name.replace('-migrate', '').toUpperCase()
        const names = (container.env ?? []).map((one) => one.name).sort()
        const urls = container.name === 'migrate' ? ['OWNER'] : ['ADMIN', 'DATABASE', 'OWNER', 'WORKER']
        expect(names).toEqual(urls.map((url) => `${NAME}_${url}_URL`))
      }
  })
})

test('what an image is told is what the Dockerfile and the archive put into it', () => {
  for (const file of ['Dockerfile', 'src/process-images.ts']) {
    const text = readFileSync(join(root, 'deploy/images', file), 'utf8')
    for (const [name, value] of Object.entries(environmentOf([], { name: '', image: '' }, () => undefined)))
      expect(text).toContain(`${name}=${value}`)
  }
})

test('a certificate that is made here is signed by the authority beside it, for its process alone', () => {
  const mounts = (secretName: string, kind = 'Deployment') => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'x' },
    spec: {
      template: {
        metadata: { labels: {} },
        spec: { containers: [], volumes: [{ name: 'tls', secret: { secretName } }] },
      },
    },
  })
  const overlay = [mounts('order-tls'), mounts('wallet-tls'), mounts('order-tls'), mounts('kafka-tls', 'StatefulSet')]
  const secrets = certificatesFor(overlay)
  expect(secrets.map(({ metadata }) => metadata.name)).toEqual([
    'order-tls',
    'wallet-tls',
    'server-authority',
    'kafka-tls',
  ])
  const [order, , servers, kafka] = secrets.map(({ stringData }) => stringData)
  for (const [name, { 'tls.crt': text, 'ca.crt': signer }] of [
    ['order', order!],
    ['kafka', kafka!],
  ] as const) {
    const certificate = new X509Certificate(text!)
    const authority = new X509Certificate(signer!)
    expect(authority.ca).toBe(true)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect([certificate.checkHost(name, { subject: 'never' }), certificate.checkHost('wallet')]).toEqual([
      name,
      undefined,
    ])
  }
  // Who signs for servers signs for no process.
  expect(servers!['ca.crt']).toBe(kafka!['ca.crt'])
  expect(servers!['ca.crt']).not.toBe(order!['ca.crt'])
})
