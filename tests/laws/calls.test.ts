import { describe, expect, test } from '@jest/globals'
import { CALLS, PASSED_ON, serviceOf } from '@svc/contracts/calls'
import { environmentOf, findProcesses, type MeshProcess, portNames, secretsFrom } from '@svc/mesh'
import { type DeclaredRpc, declaredRpcs, nameOfRpc, operationsOf } from './rpcs.ts'
import { type File, files, root } from './tree.ts'

type Edge = `${string} calls ${string}`

/** Who calls whom, by what services let others do, by what they pass on, and by what the routes of the gateway call. */
function usedEdges(
  rpcs: readonly DeclaredRpc[],
  routed: readonly string[],
  passedOn: Readonly<Record<string, readonly string[]>>,
): Set<Edge> {
  const services = new Map(rpcs.map(({ name, service }) => [name, service]))
  const byThemselves = rpcs.flatMap(({ service, grants }) =>
    grants
      .flatMap((grant) => (grant.kind === 'service' ? grant.names : []))
      .map((from): Edge => `${from} calls ${service}`),
  )
  const asPeople = Object.entries(passedOn).flatMap(([from, calls]) =>
    calls.map((to): Edge => `${serviceOf(from)} calls ${serviceOf(to)}`),
  )
  const byRoutes = routed.map((name): Edge => `gateway calls ${services.get(name)}`)
  return new Set([...byThemselves, ...asPeople, ...byRoutes])
}

/** Whom services make clients of, by the contracts that they import for it, and by what libs/service asks for them. */
const connectedEdges = (sources: readonly File[]): Set<Edge> =>
  new Set(
    sources.flatMap(({ path, text }) => {
      const imported = text.includes('grpcClient(')
        ? [...text.matchAll(/'@svc\/contracts\/(\w+)\/v1\/\w+_service'/g)].map(([, to]) => to)
        : []
      const named = text.includes('takesMerchant:') ? [...imported, 'admin'] : imported
      return named.map((to): Edge => `${path.split('/')[1]} calls ${to}`)
    }),
  )

const declaredEdges = (calls: typeof CALLS): Edge[] =>
  Object.entries(calls).flatMap(([from, all]) => all.map((to): Edge => `${from} calls ${to}`))

/** The pairs whose secret a process finds in its environment. */
function secretsOf(process: MeshProcess, processes: readonly MeshProcess[]): Edge[] {
  const secrets = secretsFrom('seed')
  const environment = environmentOf(process, {
    root,
    folder: root,
    processes,
    servers: { databaseAdminUrl: 'postgres://postgres:x@127.0.0.1:1/postgres', redisUrl: '', kafkaBrokers: [] },
    ports: Object.fromEntries(portNames(processes).map((name, index) => [name, 4_000 + index])),
    secrets,
    rolePassword: secrets.rolePassword,
    prefix: '',
    logLevel: 'info',
  })
  const names = Object.keys(environment).map((name) => /^CALLER_SECRET_([A-Z]+)_([A-Z]+)$/.exec(name))
  return names.flatMap((found) =>
    found ? [`${found[1]?.toLowerCase()} calls ${found[2]?.toLowerCase()}` as Edge] : [],
  )
}

describe('who calls whom', () => {
  test('is declared for each pair of which one calls the other, and for no other pair', async () => {
    const { rpcs } = await declaredRpcs()
    const routed = operationsOf(rpcs).flatMap(({ calls }) => calls)
    expect(declaredEdges(CALLS).sort()).toEqual([...usedEdges(rpcs, routed, PASSED_ON)].sort())
  })

  test('is what services connect to', async () => {
    const connected = [...connectedEdges(await files('services/*/src/**/*.ts'))]
    const byServices = declaredEdges(CALLS).filter((edge) => !edge.startsWith('gateway '))
    expect(connected.sort()).toEqual(byServices.sort())
  })

  test('a call that nobody declared, and one that nobody makes, is found', () => {
    const grants: DeclaredRpc['grants'] = [{ kind: 'service', names: ['webhook'] }]
    const rpcs: DeclaredRpc[] = [{ service: 'order', name: 'OrderService.getOrder', grants }]
    const used = usedEdges(rpcs, ['OrderService.getOrder'], {
      'svc.order.v1.OrderService/GetOrder': ['svc.wallet.v1.WalletService/GetWallet'],
    })
    expect([...used].sort()).toEqual(['gateway calls order', 'order calls wallet', 'webhook calls order'])
  })

  test('passes people on between rpcs that exist', async () => {
    const known = new Set((await declaredRpcs()).rpcs.map(({ service, name }) => `${service} ${name}`))
    const named = Object.entries(PASSED_ON).flat(2)
    expect(named.filter((rpc) => !known.has(`${serviceOf(rpc)} ${nameOfRpc(rpc)}`))).toEqual([])
  })

  test('decides which secrets a process has: those of its own calls, and of the calls it gets', () => {
    const processes = findProcesses(root)
    const edges = declaredEdges(CALLS)
    for (const process of processes) {
      const own = edges.filter((edge) => edge.split(' ').includes(process.name))
      expect([process.name, secretsOf(process, processes).sort()]).toEqual([process.name, own.sort()])
    }
  })
})
