import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { composeService, opsServer, STOP_LIMIT_MS } from '@svc/lifecycle'
import * as z from 'zod'
import { processNames } from '../../images/src/processes.ts'
import { alertRules } from './alert-rules.ts'
import { find, forEachOverlay, ofKind } from './for-each-overlay.ts'
import type { Container, Labels, Manifest, PodSpec, Selector } from './manifest.ts'
import { isSelected } from './network.ts'
import { containersOf, secretReferences } from './secrets.ts'

const root = join(import.meta.dirname, '../../..')
const PROCESSES = processNames(root)
const schemas = JSON.parse(readFileSync(join(import.meta.dirname, 'schemas.json'), 'utf8'))
/** Kinds of operators, whose schemas are theirs. */
const OF_OPERATORS = /^(cert-manager\.io|external-secrets\.io|monitoring\.coreos\.com)\//

const read = new Map<string, z.ZodType>()

/** Read once: a kind brings the definitions of all. */
function schemaOf(name: string): z.ZodType {
  const known = read.get(name) ?? z.fromJSONSchema({ ...schemas.kinds[name], $defs: schemas.$defs })
  read.set(name, known)
  return known
}

/** What a cluster would refuse of an object. */
function refusals(manifest: Manifest): string[] {
  const name = `${manifest.apiVersion} ${manifest.kind}`
  if (OF_OPERATORS.test(name)) return []
  if (!(name in schemas.kinds)) return [`${name}: has no schema; write-schemas.ts takes it`]
  const { error } = schemaOf(name).safeParse(manifest)
  return (error?.issues ?? []).map(
    ({ path, message }) => `${name} ${manifest.metadata.name} ${path.join('.')}: ${message}`,
  )
}

const podOf = (manifest: Manifest): PodSpec => manifest.spec!.template!.spec
const processOf = (manifests: readonly Manifest[], name: string): Container =>
  podOf(find(manifests, 'Deployment', name)).containers[0]!
const workloads = (manifests: readonly Manifest[]): Manifest[] => manifests.filter(({ spec }) => spec?.template)
const selectedBy = (manifests: readonly Manifest[], selector: Selector): string[] =>
  workloads(manifests)
    .filter(({ spec }) => isSelected(selector, spec!.template!.metadata.labels))
    .map(({ metadata }) => metadata.name)

forEachOverlay('what would be applied', (manifests, overlay) => {
  test('is all of the form that Kubernetes knows, and stands in one namespace', () => {
    expect(manifests.flatMap(refusals)).toEqual([])
    const elsewhere = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'delivery-dispatch',
    )
    expect(elsewhere).toEqual([])
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('is every process that is built, of its own image', () => {
    const deployed = ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name)
    expect(deployed.sort()).toEqual([...PROCESSES].sort())
    for (const name of PROCESSES)
      expect(processOf(manifests, name).image).toMatch(new RegExp(`^(.+/)?delivery-dispatch/${name}:[^:]+$`))
  })

  test('a migration of each service, by its own image, precedes it', () => {
    const jobs = ofKind(manifests, 'Job')
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      PROCESSES.filter((name) => name !== 'gateway')
        .map((name) => `${name}-migrate`)
        .sort(),
    )
    for (const job of jobs) {
      const service = job.metadata.name.replace('-migrate', '')
      for (const { image, args = [] } of containersOf([job])) {
        expect(image).toBe(processOf(manifests, service).image)
        const [, command] = /^dist\/commands\/(\w+)\.js$/.exec(args.join(' ')) ?? []
        expect(() => readFileSync(join(root, 'services', service, `src/commands/${command}.ts`))).not.toThrow()
      }
    }
  })

  test('a selector selects the pods of its own process, and no job', () => {
    const own = (manifest: Manifest): void => {
      const { name } = manifest.metadata
      const asked = manifest.spec!.selector as Selector & Labels
      const selector: Selector = manifest.kind === 'Service' ? { matchLabels: asked } : asked
      expect([manifest.kind, name, selectedBy(manifests, selector)]).toEqual([manifest.kind, name, [name]])
    }
    for (const kind of ['Deployment', 'StatefulSet', 'Service', 'PodDisruptionBudget'])
      ofKind(manifests, kind).forEach(own)
    for (const deployment of ofKind(manifests, 'Deployment'))
      for (const { labelSelector } of podOf(deployment).topologySpreadConstraints ?? [])
        expect(selectedBy(manifests, labelSelector)).toEqual([deployment.metadata.name])
    for (const { metadata, spec } of ofKind(manifests, 'HorizontalPodAutoscaler'))
      expect(spec?.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: metadata.name })
    expect(ofKind(manifests, 'PodDisruptionBudget')).toHaveLength(PROCESSES.length)
  })

  test('a port that somebody names is one of the container, under the number that the process is told', () => {
    for (const service of ofKind(manifests, 'Service')) {
      const [name] = selectedBy(manifests, { matchLabels: service.spec!.selector as Labels })
      const workload = manifests.find(
        ({ kind, metadata }) => metadata.name === name && /Deployment|StatefulSet/.test(kind),
      )!
      const ports = podOf(workload).containers.flatMap(({ ports = [] }) => ports.map((port) => port.name))
      expect(ports).toEqual(expect.arrayContaining(service.spec!.ports!.map(({ targetPort }) => targetPort)))
    }
    for (const name of PROCESSES) {
      const { ports = [], startupProbe, readinessProbe, livenessProbe } = processOf(manifests, name)
      for (const probe of [startupProbe, readinessProbe, livenessProbe]) expect(probe?.httpGet?.port).toBe('ops')
      const numbers = Object.fromEntries(ports.map((port) => [port.name, port.containerPort]))
      expect(numbers).toEqual(name === 'gateway' ? { ops: 9100, http: 8080 } : { ops: 9100, grpc: 7000 })
      const { clusterIP, publishNotReadyAddresses = false } = find(manifests, 'Service', name).spec ?? {}
      expect([name, clusterIP === 'None']).toEqual([name, name !== 'gateway'])
      // Who balances by its own connections is told of all; a balancer that has none is told of those that are ready.
      expect([name, publishNotReadyAddresses]).toEqual([name, name !== 'gateway'])
    }
  })

  test('a probe asks what the process answers, and its answer says what the probe decides', async () => {
    const service = composeService([], {
      checks: { kafka: { required: true, probe: () => Promise.reject(new Error()) } },
    })
    const ops = opsServer({ host: '127.0.0.1', port: 0, service: () => service })
    await ops.start?.()
    const asked = async (path = '') => (await fetch(`http://${ops.address()}${path}`)).status
    const { startupProbe, readinessProbe, livenessProbe } = processOf(manifests, 'order')
    const all = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet?.path)
    const states = async () => await Promise.all(all.map(asked))
    try {
      expect(await states()).toEqual([503, 503, 200])
      await service.start()
      // Kafka is away: no replica is taken out for it, and none restarted.
      expect(await states()).toEqual([200, 200, 200])
      service.drain()
      expect(await states()).toEqual([503, 503, 200])
    } finally {
      await ops.stop?.()
      await service.stop()
    }
    for (const name of PROCESSES)
      expect(processOf(manifests, name)).toMatchObject({ startupProbe, readinessProbe, livenessProbe })
  })

  test('nobody is root, writes to its image, keeps a capability or holds a token of the cluster', () => {
    for (const workload of workloads(manifests)) {
      const pod = podOf(workload)
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      const isOurs = workload.kind !== 'StatefulSet'
      for (const container of containersOf([workload])) {
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            ...(isOurs && { readOnlyRootFilesystem: true }),
          },
        })
        expect(Object.keys(container.resources?.requests ?? {}).sort()).toEqual(['cpu', 'memory'])
        expect(Object.keys(container.resources?.limits ?? {})).toEqual(['memory'])
      }
      if (isOurs) expect(pod).toMatchObject({ securityContext: { runAsUser: 65532, runAsGroup: 65532 } })
      const account = pod.serviceAccountName
      if (isOurs)
        expect(find(manifests, 'ServiceAccount', account ?? '').metadata.name).toBe(
          workload.metadata.name.replace('-migrate', ''),
        )
    }
  })

  test('a process is given the time to drain and to stop before it is killed', () => {
    for (const deployment of ofKind(manifests, 'Deployment')) {
      const drains = podOf(deployment)
        .containers[0]!.envFrom!.map(({ configMapRef }) => find(manifests, 'ConfigMap', configMapRef!.name).data ?? {})
        .flatMap(({ DRAIN_DELAY_MS }) => (DRAIN_DELAY_MS ? [Number(/^(\d+)s$/.exec(DRAIN_DELAY_MS)?.[1]) * 1_000] : []))
      expect(drains.at(-1)).toBeGreaterThanOrEqual(5_000)
      const graceMs = podOf(deployment).terminationGracePeriodSeconds! * 1_000
      expect(graceMs).toBeGreaterThanOrEqual(drains.at(-1)! + STOP_LIMIT_MS + 5_000)
    }
  })

  test('gateways count their share of the limits by as many as there may be', () => {
    const maps = processOf(manifests, 'gateway').envFrom!.map(({ configMapRef }) =>
      find(manifests, 'ConfigMap', configMapRef!.name),
    )
    const told = Number(maps.map(({ data }) => data?.['GATEWAY_REPLICAS']).find((value) => value !== undefined))
    const autoscaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === 'gateway')
    expect(told).toBe(autoscaler?.spec?.maxReplicas ?? find(manifests, 'Deployment', 'gateway').spec?.replicas)
  })

  test('every Secret that is asked for has somebody who makes it', () => {
    const asked = new Set([
      ...secretReferences(containersOf(manifests)).map(({ name }) => name),
      ...workloads(manifests).flatMap((one) =>
        (podOf(one).volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
      ),
    ])
    const made = manifests.flatMap(({ kind, spec }) =>
      kind === 'ExternalSecret' ? [spec!.target!.name] : kind === 'Certificate' ? [spec!.secretName!] : [],
    )
    if (overlay === 'production')
      expect([...asked].sort()).toEqual(made.filter((name) => name !== 'mesh-authority').sort())
    // make-secrets.ts makes those of the others.
    else expect(made).toEqual([])
  })

  test('a certificate bears the name of its process, and nobody else', () => {
    for (const { metadata, spec } of ofKind(manifests, 'Certificate'))
      if (metadata.name !== 'mesh-authority')
        expect(spec).toMatchObject({ dnsNames: [metadata.name], secretName: `${metadata.name}-tls` })
    for (const deployment of ofKind(manifests, 'Deployment')) {
      const mounted = (podOf(deployment).volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? [])
      expect(mounted).toEqual(['server-authority', `${deployment.metadata.name}-tls`])
    }
  })

  test('metrics are read where every process shows them', () => {
    for (const { spec } of ofKind(manifests, 'ServiceMonitor')) {
      const watched = ofKind(manifests, 'Service').filter(({ metadata }) =>
        isSelected(spec!.selector as Selector, metadata.labels ?? {}),
      )
      expect(watched.map(({ metadata }) => metadata.name).sort()).toEqual([...PROCESSES].sort())
      expect(spec?.endpoints).toMatchObject([{ port: 'ops', path: '/metrics' }])
    }
  })
})

test('the alerts of a cluster are all that deploy/observability has', () => {
  const files = ['alerts.yml', 'slo.yml'].map((file) => readFileSync(join(root, 'deploy/observability', file), 'utf8'))
  const groups = alertRules().spec?.groups as Array<{ rules: Array<{ alert?: string }> }>
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []))
  expect(alerts).toEqual([...files.join('').matchAll(/^ +- alert: (\w+)/gm)].map(([, name]) => name))
})

test('a misspelt field, a string where a number belongs and an unknown kind are found', () => {
  const metadata = { name: 'x' }
  const service = (port: object) =>
    ({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [port] } }) as unknown as Manifest
  expect(refusals(service({ port: 80, name: 'http' }))).toEqual([])
  expect(refusals(service({ port: '80' }))).toEqual([expect.stringContaining('spec.ports.0.port')])
  expect(refusals(service({ port: 80, targetport: 'http' }))).toEqual([expect.stringContaining('targetport')])
  expect(refusals({ apiVersion: 'v1', kind: 'Pod', metadata })).toEqual([expect.stringContaining('no schema')])
})
