import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { linksInTheClear } from '@svc/config'
import { find, forEachOverlay, ofKind } from './for-each-overlay.ts'
import type { Container, Manifest } from './manifest.ts'
import { containersOf, secretReferences, secretsFor } from './secrets.ts'

/** What these settings say of a server, in the words of the server, which must be that nothing is taken in the clear. */
const SERVERS: Readonly<Record<string, (container: Container, manifests: readonly Manifest[]) => unknown>> = {
  postgres: ({ args = [] }, manifests) => [
    args.filter((word) => /^-c(ssl=|hba_file=)/.test(word)),
    rulesOf(manifests).filter((rule) => !/^(local|hostssl) .* scram-sha-256$/.test(rule)),
  ],
  redis: ({ args = [] }) => ['--port', '--tls-port'].map((word) => args[args.indexOf(word) + 1]),
  kafka: (container) => reachable(environmentOf(container), /^(SASL_)?SSL$/),
}
const ENCRYPTED: Readonly<Record<string, unknown>> = {
  postgres: [['-cssl=on', '-chba_file=/etc/postgres/pg_hba.conf'], []],
  redis: ['0', '6379'],
  kafka: [],
}
/** Spans, to a collector that the namespace monitoring has; they hold ids and no secrets. */
const IN_THE_CLEAR = ['OTEL_EXPORTER_OTLP_ENDPOINT']

function rulesOf(manifests: readonly Manifest[]): string[] {
  const map = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('postgres'))
  return (map?.data?.['pg_hba.conf'] ?? 'none').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** Of the listeners that another machine could reach those that speak something else. */
function reachable(told: ReadonlyMap<string, string>, otherThan: RegExp): string[] {
  const list = (name: string) => told.get(name)?.split(',') ?? []
  const protocols = new Map(
    list('KAFKA_LISTENER_SECURITY_PROTOCOL_MAP').map((each) => each.split(':') as [string, string]),
  )
  return [...list('KAFKA_LISTENERS'), ...list('KAFKA_ADVERTISED_LISTENERS')].filter((listener) => {
    const [name = '', host = ''] = listener.split(/:\/\/|:/)
    return host !== 'localhost' && !otherThan.test(protocols.get(name) ?? name)
  })
}

const environmentOf = ({ env = [] }: Container) => new Map(env.map(({ name, value = '' }) => [name, value]))

forEachOverlay('no link is in the clear', (manifests, overlay) => {
  const workloads = manifests.filter(({ spec }) => spec?.template)
  const ours = workloads.filter(({ kind }) => kind !== 'StatefulSet')

  test('what processes and jobs are told of servers is encrypted and verified', () => {
    const made = secretsFor(manifests, 'of this test')
    for (const { stringData } of made) expect(linksInTheClear(stringData)).toEqual([])
    const keys = made.flatMap(({ stringData }) => Object.keys(stringData))
    expect(keys).toEqual(expect.arrayContaining(['ORDER_DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS']))
  })

  test('nobody is told that a link may be in the clear, that it need not be verified, or that anybody may write any topic', () => {
    const told = [
      ...ofKind(manifests, 'ConfigMap').flatMap(({ data = {} }) => Object.entries(data)),
      ...containersOf(manifests).flatMap(({ env = [] }) => env.map(({ name, value = '' }) => [name, value] as const)),
    ]
    const lax = told.filter(
      ([name, value]) =>
        ['SERVERS_TLS', 'GRPC_TLS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'KAFKA_ACL'].includes(name) ||
        (/^(http|redis|postgres|kafka):\/\/(?!localhost[:/])/.test(value) && !IN_THE_CLEAR.includes(name)),
    )
    expect(lax).toEqual([])
  })

  test('each container that goes to a server has the authority that signs for servers', () => {
    for (const workload of ours)
      for (const { name, volumeMounts = [] } of containersOf([workload]).filter(goesToServers)) {
        const mounted = volumeMounts.find(({ mountPath }) => mountPath === '/etc/servers')?.name
        const volume = workload.spec?.template?.spec.volumes?.find((one) => one.name === mounted)
        expect([workload.metadata.name, name, volume?.secret?.secretName]).toEqual([
          workload.metadata.name,
          name,
          'server-authority',
        ])
      }
    const [mesh] = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => metadata.name.startsWith('mesh'))
    expect(mesh?.data?.['NODE_EXTRA_CA_CERTS']).toBe('/etc/servers/ca.crt')
  })

  test('a server of the overlay takes TLS alone, with a certificate of its own', () => {
    const servers = ofKind(manifests, 'StatefulSet')
    expect(servers.map(({ metadata }) => metadata.name).sort()).toEqual(
      overlay === 'production' ? [] : Object.keys(SERVERS).sort(),
    )
    for (const { metadata, spec } of servers) {
      const [container] = spec!.template!.spec.containers
      expect([metadata.name, SERVERS[metadata.name]!(container!, manifests)]).toEqual([
        metadata.name,
        ENCRYPTED[metadata.name],
      ])
      const { volumes = [] } = spec!.template!.spec
      expect(volumes.map(({ secret }) => secret?.secretName)).toContain(`${metadata.name}-tls`)
      expect(container!.volumeMounts).toContainEqual(expect.objectContaining({ mountPath: '/etc/tls' }))
      expect(find(manifests, 'Service', metadata.name).spec?.ports).toHaveLength(1)
    }
  })

  if (overlay === 'production') return

  const secrets = new Map(
    secretsFor(manifests, 'of this test').map(({ metadata, stringData }) => [metadata.name, stringData]),
  )
  /** What those who are told of a server come as. */
  const comers = (key: string) =>
    [...secrets].flatMap(([name, { [key]: url }]) => (url ? [{ name, url: new URL(url) }] : []))

  test('Redis does nothing for whom it does not know, and knows what processes come as', () => {
    const { args = [] } = serverOf(manifests, 'redis')
    expect(args[args.indexOf('--aclfile') + 1]).toBe('/etc/redis-users/users.acl')
    const [anybody, ...known] = secrets.get('redis-users')!['users.acl']!.trim().split('\n')
    expect(anybody).toBe('user default on nopass resetkeys resetchannels -@all +ping')
    expect(comers('REDIS_URL').map(({ name }) => name)).toEqual(['admin', 'dispatch', 'gateway'])
    for (const { url } of comers('REDIS_URL')) {
      const digest = createHash('sha256').update(url.password).digest('hex')
      expect(known).toEqual([expect.stringMatching(`^user ${url.username} on #${digest} .* -@admin -@dangerous `)])
    }
  })

  test('Kafka asks who comes, gives no right to whom none was given, and knows each service by a user of its own', () => {
    const told = environmentOf(serverOf(manifests, 'kafka'))
    expect(reachable(told, /^SASL_SSL$/)).toEqual([])
    expect(Object.fromEntries(told)).toMatchObject({
      KAFKA_SASL_ENABLED_MECHANISMS: 'SCRAM-SHA-512',
      KAFKA_AUTHORIZER_CLASS_NAME: 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND: 'false',
      // Who is in the pod: nobody comes so by a listener that asks.
      KAFKA_SUPER_USERS: 'User:ANONYMOUS',
    })
    const users = comers('KAFKA_BROKERS').map(({ name, url }) => [name, url.username, url.password])
    expect(users).toEqual(Object.entries(secrets.get('kafka-users')!).map(([name, password]) => [name, name, password]))
    expect(users.map(([name]) => name)).toEqual(processesWithDatabase(manifests))
    expect(new Set(users.map(([, , password]) => password)).size).toBe(users.length)
  })
})

const serverOf = (manifests: readonly Manifest[], name: string): Container =>
  find(manifests, 'StatefulSet', name).spec!.template!.spec.containers[0]!

const processesWithDatabase = (manifests: readonly Manifest[]): string[] =>
  ofKind(manifests, 'Job')
    .map(({ metadata }) => metadata.name.replace('-migrate', ''))
    .sort()

const goesToServers = (container: Container): boolean =>
  secretReferences([container]).some(({ key }) => /^(REDIS_URL|KAFKA_BROKERS)$|_URL$/.test(key))
