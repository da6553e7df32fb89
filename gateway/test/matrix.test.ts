import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PERMISSIONS } from '@svc/credentials'
import { createContext } from '../src/context.ts'
import { createApp } from '../src/gateway.ts'
import { SCRIPT_PATH } from '../src/http/docs.ts'
import type { Route } from '../src/http/route.ts'
import { routes } from '../src/routes/index.ts'
import { addressOf, bodies } from '../src/samples/requests.ts'
import { type Answer, call } from './call.ts'
import { CREDENTIAL_KINDS, type CredentialKind, type Outcome, type Place } from './credential-kinds.ts'
import { configOf, effectsOf, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

const SCIM_TOKEN = 'the-token-of-a-provisioning-service'

/** What is served beside the table of routes, and whom it asks for what. */
const BESIDE: Readonly<Record<string, 'anybody' | 'scim'>> = {
  'GET /health': 'anybody',
  'GET /health/ready': 'anybody',
  'GET /.well-known/jwks.json': 'anybody',
  'GET /asyncapi.json': 'anybody',
  'GET /openapi.json': 'anybody',
  'GET /': 'anybody',
  'GET /docs': 'anybody',
  'GET /docs/start.js': 'anybody',
  [`GET ${SCRIPT_PATH}`]: 'anybody',
  'GET /docs/guides': 'anybody',
  'GET /docs/guides/*name': 'anybody',
  'GET /scim/v2/ServiceProviderConfig': 'scim',
  'GET /scim/v2/Users': 'scim',
  'POST /scim/v2/Users': 'scim',
}

let vault: Vault
let upstream: Upstream
let running: Running

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream, { scimToken: [SCIM_TOKEN] })
})

afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Whom the routes below an address are for, the first that fits: what a route declares is held against this. */
const ADDRESSES: ReadonlyArray<readonly [RegExp, Place]> = [
  [/^POST \/v1\/admin\/(auth|rbac)\/token$/, 'public'],
  [/^GET \/v1\/admin\/auth\/oidc\/(login|callback)$/, 'public'],
  [/^\S+ \/v1\/admin\//, 'operator'],
  [/^POST \/v1\/auth\/(rider\/)?token$/, 'key'],
  [/^POST \/v1\/auth\/change-password$/, 'login'],
  [/^GET \/v1\/auth\/me$/, 'merchant'],
  [/^GET \/v1\/auth\/rider\/me$/, 'rider'],
  [/^POST \/v1\/auth\/rider\/phone-otp\/(request|verify)$/, 'public'],
  [/^POST \/v1\/auth\/refresh$/, 'public'],
  [/^POST \/v1\/auth\/logout$/, 'session'],
  [/^\S+ \/v1\/riders\/me\//, 'rider'],
  [/^\S+ \/v1\/riders\/\{riderId\}\//, 'merchant or rider'],
  [/^\S+ \/v1\/public\//, 'public'],
  [/^GET \/v1\/tracking\/\{token\}$/, 'public'],
  [/^GET \/v1\/system\/capture-config$/, 'public'],
  [/^POST \/webhooks\//, 'signed'],
  [/^\S+ \/v1\/(orders|shipments|me|test|events|coverage)(\/|$)/, 'merchant'],
]

/** Every route has its place here, or the matrix does not know what to expect of it. */
function placeOf(route: Route): Place {
  const [, place] = ADDRESSES.find(([address]) => address.test(nameOf(route))) ?? []
  if (!place) throw new Error(`${nameOf(route)}: whom is it for?`)
  return place
}

/** The same, as the route declares it. */
function declaredPlaceOf({ auth }: Route): string {
  if (auth.kind === 'merchant') return auth.keyOnly ? 'key' : auth.loginOnly ? 'login' : 'merchant'
  return { admin: 'operator', merchant_or_rider: 'merchant or rider' }[auth.kind as string] ?? auth.kind
}

const isOff = ({ replies }: Route) => Object.keys(replies).length === 0

function wantedOf(route: Route, kind: CredentialKind): Outcome {
  const { auth } = route
  const place = placeOf(route)
  if (place === 'public' || place === 'signed') return 'served'
  const outcome = kind.at[place] ?? 'invalid'
  if (kind.actsForAnother && auth.kind === 'merchant' && auth.inPerson && outcome !== 'invalid') return 'not in person'
  if (outcome !== 'served') return outcome
  if (kind.isBare && auth.kind === 'admin' && auth.permission) return 'lacks permission'
  if (kind.isBare && 'scopes' in auth && auth.scopes.length > 0) return 'lacks scope'
  return kind.isLive && route.testOnly ? 'live in sandbox' : 'served'
}

/** How a refusal reads on the wire: its status, code and details. */
const REFUSALS: Readonly<Record<Exclude<Outcome, 'served'>, (route: Route) => unknown[]>> = {
  missing: () => [401, 'unauthorized', { reason: 'missing' }],
  invalid: () => [401, 'unauthorized', { reason: 'invalid' }],
  expired: () => [401, 'unauthorized', { reason: 'expired' }],
  revoked: () => [401, 'unauthorized', { reason: 'revoked' }],
  suspended: () => [403, 'kyb_required', expect.objectContaining({ kyb_status: expect.any(String) })],
  'login required': () => [403, 'forbidden', { reason: 'login_required' }],
  'lacks scope': ({ auth }) => [403, 'forbidden', { required: 'scopes' in auth && auth.scopes }],
  'lacks permission': ({ auth }) => [403, 'forbidden', { required: ['permission' in auth && auth.permission] }],
  'live in sandbox': () => [403, 'test_mode_required', undefined],
  'not in person': () => [403, 'forbidden', { reason: 'acting_for_another' }],
  'no grant': () => [403, 'forbidden', { reason: 'no_active_grant' }],
  'no common scope': () => [403, 'forbidden', { reason: 'no_common_scope' }],
  'names two grantors': () => [403, 'forbidden', { reason: 'delegated_token' }],
  'names no merchant': () => [
    400,
    'validation_error',
    expect.objectContaining({ field: 'X-Service-Act-As-Merchant', rule: 'uuid' }),
  ],
}

/** What a route that is switched off for good answers to those it lets in stands for its reply. */
function readAs(route: Route, { status, body }: Answer): unknown {
  const isServed = isOff(route) ? route.errors.includes(body?.error) : Object.keys(route.replies).includes(`${status}`)
  if (isServed) return 'served'
  // What is wrong with the form of a credential is told beside the reason: credentials.test.ts says where.
  const { problem: _, ...details } = body?.details ?? {}
  return [status, body?.error, body?.details && details]
}

const AT_ONCE = 8

/** Calls each of the routes with the credential; what each answered, and the ids of those that were not served. */
async function callAll(list: readonly Route[], sent: Awaited<ReturnType<CredentialKind['present']>>) {
  const waiting = [...list]
  const answers: Record<string, unknown> = {}
  const refused = new Set<string>()
  const work = async () => {
    for (let route = waiting.pop(); route; route = waiting.pop()) {
      const requestId = randomUUID()
      const headers = { ...sent.headers, 'x-request-id': requestId }
      const body = bodies[route.operationId]
      const answer = await call(running.url, route.method, addressOf(route), { ...sent, headers, body })
      answers[nameOf(route)] = readAs(route, answer)
      if (answers[nameOf(route)] !== 'served') refused.add(requestId)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { answers, refused }
}

/** The requests that services were asked something for, other than whose credential it is. */
const idsServed = () => {
  const effects = new Set(effectsOf(upstream))
  return upstream.asked.filter(({ rpc }) => effects.has(rpc)).map(({ caller }) => caller.requestId)
}

/** Every method of every path that the gateway mounts, as Express has it. */
function mounted(): string[] {
  const context = createContext(
    configOf(upstream, { redisUrl: running.redisUrl, scimToken: [SCIM_TOKEN] }),
    upstream.upstreams,
  )
  try {
    const { stack } = createApp(context, async () => ({ status: 'ok', checks: {} })).router
    return stack.flatMap(({ route }) =>
      route ? route.stack.flatMap(({ method }) => (method ? [`${method.toUpperCase()} ${route.path}`] : [])) : [],
    )
  } finally {
    context.close()
  }
}

test('whatever is mounted is in the table of routes, or has a row of its own here', () => {
  const inTable = routes.map((route) => nameOf(route).replaceAll(/\{(\w+)\}/g, ':$1'))
  expect(mounted().toSorted()).toEqual([...inTable, ...Object.keys(BESIDE)].toSorted())
})

describe('what is served beside the table asks for no credential of ours, and SCIM for its token alone, of', () => {
  const beside = async (sent: Awaited<ReturnType<CredentialKind['present']>>) => {
    const answers: Record<string, unknown> = {}
    for (const name of Object.keys(BESIDE)) {
      const [method, path] = name.split(' ') as [string, string]
      const { status } = await call(running.url, method, path.replace('*name', 'errors'), sent)
      answers[name] = status
    }
    return answers
  }
  const wanted = (scim: (name: string) => number) =>
    Object.fromEntries(Object.entries(BESIDE).map(([name, asks]) => [name, asks === 'anybody' ? 200 : scim(name)]))

  test.each(CREDENTIAL_KINDS.map((kind) => [kind.name, kind] as const))('%s', async (_name, kind) => {
    expect(await beside(await kind.present(vault))).toEqual(wanted(() => 401))
  })

  test('the provisioning service', async () => {
    expect(await beside({ token: SCIM_TOKEN })).toEqual(wanted((name) => (name.startsWith('POST') ? 501 : 200)))
  })
})

test('every route declares whom its address is for', () => {
  const declared = Object.fromEntries(routes.map((route) => [nameOf(route), declaredPlaceOf(route)]))
  expect(declared).toEqual(Object.fromEntries(routes.map((route) => [nameOf(route), placeOf(route)])))
})

describe('every route answers as it should, and asks no service for whom it refuses, to', () => {
  test.each(CREDENTIAL_KINDS.map((kind) => [kind.name, kind] as const))('%s', async (_name, kind) => {
    upstream.asked.length = 0
    const { answers, refused } = await callAll(routes, await kind.present(vault))
    const wanted = routes.map((route) => {
      const outcome = wantedOf(route, kind)
      return [nameOf(route), outcome === 'served' ? outcome : REFUSALS[outcome](route)]
    })
    expect(answers).toEqual(Object.fromEntries(wanted))
    expect(idsServed().filter((id) => refused.has(id))).toEqual([])
  })
})

describe('an operator with one permission enters the routes that ask for it, and those about itself:', () => {
  const ofOperators = routes.filter(({ auth }) => auth.kind === 'admin')
  test.each(PERMISSIONS)('%s', async (permission) => {
    const { answers } = await callAll(ofOperators, { token: await vault.operator([permission]) })
    const wanted = ofOperators.map((route) => {
      const asked = route.auth.kind === 'admin' ? route.auth.permission : undefined
      const isServed = asked === undefined || asked === permission
      return [nameOf(route), isServed ? 'served' : REFUSALS['lacks permission'](route)]
    })
    expect(answers).toEqual(Object.fromEntries(wanted))
  })
})
