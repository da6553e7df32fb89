import { describe, expect, test } from '@jest/globals'
import { PASSED_ON } from '@svc/contracts/calls'
import type { Grant } from '@svc/grpc'
import type { Auth } from '../../gateway/src/http/route.ts'
import { type DeclaredRpc, declaredRpcs, mayCall, nameOfRpc, type Operation, operationsOf, ownName } from './rpcs.ts'
import { type File, files } from './tree.ts'

/** Calls that are made as the same caller: the callers of the first may call the others. */
const PASSED_ON_BY_NAME = Object.fromEntries(
  Object.entries(PASSED_ON).map(([root, rpcs]) => [nameOfRpc(root), rpcs.map(nameOfRpc)]),
)

/** Breaches that are meant, each with the reason. */
const MEANT: Readonly<Record<string, string>> = {
  'ChannelService.putChannelSettings refuses merchants with orders:write of legacyPutChannelSettings':
    'the route answers feature_disabled and calls nothing',
  'OrderService.getOrder refuses operators with admin.orders.write of AssignmentService.assignRider':
    'every role that may write orders may read them',
  'RiderService.getRiderAccount refuses merchants with orders:write of PayoutService.requestWithdrawal':
    'only where a rider withdraws is the rider asked about',
  'no call of AssignmentService.getDispatchTrace needs operators with admin.orders.read':
    'an operator may see how any order was dispatched; the API has no route for it yet',
  'no call of AssignmentService.listDispatchCandidates needs operators with admin.orders.read':
    'an operator may see who could carry any order; the API has no route for it yet',
  'no call of MerchantService.updateMerchant needs operators with admin.merchants.approve':
    'a change of the approval takes it beside the permission of the route; the use case asks for it',
  'no call of PayoutService.listPayoutInstruments needs operators with admin.merchants.read':
    'an operator may ask for the instruments of either kind of owner; only riders are shown with theirs',
  'no call of WalletService.getRiderWallet needs operators with admin.ledger.read':
    'an operator may read the ledger of either kind of owner; only merchants have a route for it',
}

/** One kind of caller that holds one scope or permission and no other. */
type Need =
  | {
      kind: 'merchant'
      scope: string | undefined
      isKey: boolean
      isLogin: boolean
      isTest: boolean
      isInPerson: boolean
    }
  | { kind: 'operator'; permission: string | undefined }
  | { kind: 'service'; name: string }
  | { kind: 'rider' }
  | { kind: 'public' }
  | { kind: 'anyone' }

interface Tree {
  rpcs: readonly DeclaredRpc[]
  operations: readonly Operation[]
  /** Sources of the gateway and of the services, which call each other by themselves. */
  sources: readonly File[]
  passedOn: Readonly<Record<string, readonly string[]>>
}

/** Where callers of a route or of another rpc are not let in, and grants that let in callers whom no call needs. */
function breaches({ rpcs, operations: known, sources, passedOn }: Tree): string[] {
  const byName = new Map(rpcs.map((rpc) => [rpc.name, rpc]))
  const calls = [
    ...known.flatMap(({ operationId, auth, testOnly, calls: named }) => {
      const needs = needsOf(auth, testOnly)
      return named.map((name) => ({ from: operationId, name, needs }))
    }),
    ...Object.entries(passedOn).flatMap(([from, names]) => {
      // A service that calls by itself goes on by itself.
      const needs = (byName.get(from)?.grants ?? []).flatMap(needsOfGrant).filter(({ kind }) => kind !== 'service')
      return names.map((name) => ({ from, name, needs }))
    }),
  ]
  const found: string[] = []
  for (const { from, name, needs } of calls) {
    const grants = byName.get(name)?.grants
    for (const need of grants ? needs : [])
      if (!grants?.some((grant) => admits(grant, need))) found.push(`${name} refuses ${spelt(need)} of ${from}`)
  }
  for (const { name, grants } of rpcs) {
    const callers = calls.filter((call) => call.name === name)
    const needed = callers.flatMap(({ needs }) => needs)
    const isUsed = (need: Need): boolean => {
      if (need.kind === 'service') return callsIt(sources, need.name, name)
      return needed.some((one) => need.kind === 'anyone' || spelt(one) === spelt(need))
    }
    for (const need of grants.flatMap(needsOfGrant)) {
      if (!isUsed(need)) found.push(`no call of ${name} needs ${spelt(need)}`)
    }
  }
  return [...new Set(found)]
}

const callsIt = (sources: readonly File[], service: string, name: string): boolean =>
  sources.some((source) => homeOf(source.path) === service && mayCall(source, name))

/** The service or the gateway that a source belongs to. */
const homeOf = (path: string): string | undefined => /^(?:services\/)?([^/]+)\/src\//.exec(path)?.[1]

function needsOf(auth: Auth, isTest: boolean): Need[] {
  switch (auth.kind) {
    case 'merchant':
      return merchants(auth.scopes, {
        isKey: auth.keyOnly,
        isLogin: auth.loginOnly === true,
        isTest,
        isInPerson: auth.inPerson === true,
      })
    case 'merchant_or_rider':
      return [...merchants(auth.scopes, { isKey: false, isLogin: false, isTest, isInPerson: false }), { kind: 'rider' }]
    case 'admin':
      return [{ kind: 'operator', permission: auth.permission }]
    case 'rider':
      return [{ kind: 'rider' }]
    case 'public':
    case 'signed':
      return [{ kind: 'public' }]
    default:
      return [{ kind: 'anyone' }]
  }
}

function needsOfGrant(grant: Grant): Need[] {
  switch (grant.kind) {
    case 'merchant':
      return merchants(grant.anyOf, {
        isKey: grant.keyOnly === true,
        isLogin: grant.loginOnly === true,
        isTest: false,
        isInPerson: grant.inPerson === true,
      })
    case 'operator':
      return [{ kind: 'operator', permission: grant.permission }]
    case 'service':
      return grant.names.map((name) => ({ kind: 'service', name }))
    default:
      return [{ kind: grant.kind }]
  }
}

const merchants = (
  scopes: readonly string[],
  conditions: { isKey: boolean; isLogin: boolean; isTest: boolean; isInPerson: boolean },
): Need[] => (scopes.length > 0 ? scopes : [undefined]).map((scope) => ({ kind: 'merchant', scope, ...conditions }))

/** A live credential is the rpc's own condition: a route cannot say it. */
function admits(grant: Grant, need: Need): boolean {
  switch (grant.kind) {
    case 'anyone':
      return true
    case 'merchant':
      if (need.kind !== 'merchant' || (grant.keyOnly && !need.isKey) || (grant.liveOnly && need.isTest)) return false
      if ((grant.inPerson && !need.isInPerson) || (grant.loginOnly && !need.isLogin)) return false
      return grant.anyOf.length === 0 || grant.anyOf.some((scope) => scope === need.scope)
    case 'operator':
      return need.kind === 'operator' && need.permission === grant.permission
    case 'service':
      return need.kind === 'service' && grant.names.includes(need.name)
    default:
      return need.kind === grant.kind
  }
}

const NAMES = { rider: 'riders', public: 'visitors', anyone: 'anyone' } as const

function spelt(need: Need): string {
  switch (need.kind) {
    case 'merchant':
      return `merchants with ${need.scope ?? 'any scope'}`
    case 'operator':
      return `operators with ${need.permission}`
    case 'service':
      return need.name
    default:
      return NAMES[need.kind]
  }
}

describe('who may call an rpc', () => {
  test('is each caller that a route or a service of ours lets through to it, and no other', async () => {
    const { rpcs } = await declaredRpcs()
    const sources = await files('{gateway,services/*}/src/**/*.ts')
    const found = breaches({ rpcs, operations: operationsOf(rpcs), sources, passedOn: PASSED_ON_BY_NAME })
    expect(found.sort()).toEqual(Object.keys(MEANT).sort())
  })

  test('narrower than a route, wider than all of them, or narrower than a call passed on, is found', () => {
    const rpcs: DeclaredRpc[] = [
      {
        service: 'order',
        name: 'OrderService.getOrder',
        grants: [
          { kind: 'merchant', anyOf: ['orders:read'], keyOnly: true },
          { kind: 'operator', permission: 'admin.orders.read' },
          { kind: 'service', names: ['dispatch', 'wallet'] },
        ],
      },
      { service: 'wallet', name: 'WalletService.getWallet', grants: [{ kind: 'rider' }] },
    ]
    const known: Operation[] = [
      {
        operationId: 'getOrder',
        auth: { kind: 'merchant', scopes: ['orders:read', 'orders:write'], keyOnly: true },
        testOnly: false,
        calls: ['OrderService.getOrder'],
      },
      {
        operationId: 'listOrders',
        auth: { kind: 'merchant', scopes: ['orders:read'], keyOnly: false },
        testOnly: false,
        calls: ['OrderService.getOrder'],
      },
    ]
    const sources = [{ path: 'services/dispatch/src/peers/order.ts', text: 'await orders.getOrder({ id })' }]
    const passedOn = { 'OrderService.getOrder': ['WalletService.getWallet'] }
    expect(breaches({ rpcs, operations: known, sources, passedOn })).toEqual([
      'OrderService.getOrder refuses merchants with orders:write of getOrder',
      'OrderService.getOrder refuses merchants with orders:read of listOrders',
      'WalletService.getWallet refuses merchants with orders:read of OrderService.getOrder',
      'WalletService.getWallet refuses operators with admin.orders.read of OrderService.getOrder',
      'no call of OrderService.getOrder needs operators with admin.orders.read',
      'no call of OrderService.getOrder needs wallet',
      'no call of WalletService.getWallet needs riders',
    ])
  })
})

/** Where the table of a README (`| … | GetWallet, SetTestWallet | who |`) does not name the callers that an rpc admits. */
function unsaid(rpcs: readonly DeclaredRpc[], readmes: readonly File[]): string[] {
  return rpcs.flatMap(({ service, name, grants }) => {
    const readme = readmes.find(({ path }) => path === `services/${service}/README.md`)
    const own = ownName(name).replace(/^./, (letter) => letter.toUpperCase())
    const rows = (readme?.text ?? '').split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    const said = rows.find((cells) => cells[2]?.split(', ').includes(own))?.[3] ?? ''
    const [wanted, found] = [callersOf(grants), callersIn(said)].map((all) => [...new Set(all)].sort().join(', '))
    return wanted === found ? [] : [`README of ${service}: ${own} is for ${wanted}, not for ${found || 'no caller'}`]
  })
}

/** Scopes and permissions, kinds of callers and conditions. */
const callersOf = (grants: readonly Grant[]): string[] => grants.flatMap((grant) => [...kindOf(grant), ...asked(grant)])

const asked = ({ keyOnly, loginOnly, liveOnly, inPerson, money, payee, ownKey }: Grant): string[] => [
  ...(keyOnly ? ['key'] : []),
  ...(loginOnly ? ['log-in'] : []),
  ...(liveOnly ? ['live'] : []),
  ...(inPerson ? ['in person'] : []),
  ...(money ? ['money'] : []),
  ...(payee ? ['payee'] : []),
  ...(ownKey ? ['own key'] : []),
]

function kindOf(grant: Grant): readonly string[] {
  if (grant.kind === 'merchant') return grant.anyOf.length > 0 ? grant.anyOf : ['any merchant']
  if (grant.kind === 'operator') return [grant.permission ?? 'any operator']
  return grant.kind === 'service' ? grant.names : [NAMES[grant.kind].replace(/s$/, '')]
}

/** The same words in a cell of a table: what stands in backticks, and these outside of them. */
function callersIn(cell: string): string[] {
  const words =
    /\b(own key|any merchant|any operator|rider|visitor|anyone|order|dispatch|wallet|webhook|ingestion|admin|gateway|key|log-in|live|in person|money|payee)s?\b/g
  const prose = cell.replaceAll(/`[^`]*`/g, '')
  return [...cell.matchAll(/`([^`]*)`/g), ...prose.matchAll(words)].map(([, word = '']) => word)
}

describe('the README of a service', () => {
  test('says who may call each rpc', async () => {
    const { rpcs } = await declaredRpcs()
    expect(unsaid(rpcs, await files('services/*/README.md'))).toEqual([])
  })

  test('that says otherwise, or nothing, is found', () => {
    const rpcs: DeclaredRpc[] = ['getOrder', 'listOrders', 'cancelOrder'].map((name) => ({
      service: 'order',
      name: `OrderService.${name}`,
      grants: [
        { kind: 'merchant', anyOf: ['orders:read', 'orders:write'], liveOnly: true },
        { kind: 'operator', permission: 'admin.orders.read' },
        { kind: 'service', names: ['dispatch'] },
      ],
    }))
    const who = '`orders:read` or `orders:write`, live; the service dispatch; operators: `admin.orders.read`'
    const text = `| OrderService | ReadOrder, GetOrder | ${who} |\n| | ListOrders | riders |`
    const wanted = 'admin.orders.read, dispatch, live, orders:read, orders:write'
    expect(unsaid(rpcs, [{ path: 'services/order/README.md', text }])).toEqual([
      `README of order: ListOrders is for ${wanted}, not for rider`,
      `README of order: CancelOrder is for ${wanted}, not for no caller`,
    ])
  })
})
