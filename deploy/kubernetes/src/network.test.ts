import { expect, test } from '@jest/globals'
import { CALLS } from '@svc/contracts/calls'
import { forEachOverlay, ofKind } from './for-each-overlay.ts'
import type { Manifest } from './manifest.ts'
import { mayReach } from './network.ts'

forEachOverlay('who may reach whom', (manifests, overlay) => {
  const policies = ofKind(manifests, 'NetworkPolicy')
  const pods = manifests
    .filter(({ spec }) => spec?.template)
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      labels: spec!.template!.metadata.labels,
      ports: Object.fromEntries(
        spec!.template!.spec.containers.flatMap(({ ports = [] }) =>
          ports.map((port) => [port.name, port.containerPort]),
        ),
      ),
    }))
  const reaching = (port: string): string[] =>
    pods
      .flatMap((from) => pods.map((to) => ({ from, to })))
      .filter(({ from, to }) => from !== to && port in to.ports && mayReach(policies, from, to, port))
      .map(({ from, to }) => `${from.name} ${to.name}`)
      .sort()

  test('policies select every pod, and nothing is admitted but what one of them names', () => {
    const nobody = policies.find(({ metadata }) => metadata.name === 'nobody')
    expect(nobody?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  test('a process reaches those that it is declared to call, and no other', () => {
    const declared = Object.entries(CALLS).flatMap(([from, all]) => all.map((to) => `${from} ${to}`))
    expect(reaching('grpc')).toEqual(declared.sort())
  })

  test('no pod of the namespace reads the metrics of another', () => {
    expect(reaching('ops')).toEqual([])
  })

  test('each server is reached by those that use it', () => {
    const services = Object.keys(CALLS)
      .concat('admin')
      .filter((name) => name !== 'gateway')
    const expected: Record<string, string[]> = {
      postgres: services.flatMap((name) => [name, `${name}-migrate`]),
      redis: ['admin', 'dispatch', 'gateway'],
      kafka: services,
    }
    for (const [server, users] of Object.entries(expected)) {
      if (overlay === 'production') {
        const policy = policies.find(({ metadata }) => metadata.name === `reach-${server}`) as Manifest
        const found = pods.filter(({ labels }) => mayLeave(policy, labels)).map(({ name }) => name)
        expect([server, found.sort()]).toEqual([server, users.sort()])
      } else expect(reaching(server)).toEqual(users.map((name) => `${name} ${server}`).sort())
    }
  })
})

/** Whether a policy that lets out to addresses is about pods of these labels. */
function mayLeave({ spec }: Manifest, labels: Readonly<Record<string, string>>): boolean {
  const port = spec!.egress![0]!.ports![0]!.port
  const itself = { labels, ports: { it: Number(port) } }
  return mayReach(
    [
      {
        apiVersion: '',
        kind: '',
        metadata: { name: '' },
        spec: { podSelector: spec!.podSelector!, egress: [{}], ingress: [{}] },
      },
    ],
    itself,
    itself,
    'it',
  )
}
