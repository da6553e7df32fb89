import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PERMISSIONS, SCOPES } from '@svc/credentials'
import { rpcNameOf } from '../../tests/laws/rpcs.ts'
import { described } from '../src/described.ts'
import type { Route } from '../src/http/route.ts'
import { routes } from '../src/routes/index.ts'
import { order } from '../src/samples/replies/order.ts'
import { addressOf, bodies, pathOf } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { effectsOf, type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, goodToken, tokensOfOtherClasses, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
/** A megabyte: asked for once. */
let reference: { paths: Record<string, Record<string, Record<string, unknown>>> }

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
  reference = (await call(running.url, 'GET', '/openapi.json')).body
})

afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const)
const guarded = routes.filter(({ auth }) => auth.kind !== 'public' && auth.kind !== 'signed')
/** Without those that the operator of the platform has switched off for good. */
const served = routes.filter(({ replies }) => Object.keys(replies).length > 0)
/** Whose query is ours to judge: third parties call the addresses of hooks as they were given them. */
const reading = served.filter(({ auth }) => auth.kind !== 'signed')
/** Replies that are the same for everybody, and may be kept. */
const KEPT: Readonly<Record<string, string>> = { getCaptureConfig: 'public, max-age=60' }
const withBody = routes.filter(({ body }) => body && !body.safeParse({}).success)

const tokenOf = ({ auth }: Route): Promise<string | undefined> => goodToken(vault, auth)
const scopesOf = ({ auth }: Route): readonly string[] =>
  auth.kind === 'merchant' || auth.kind === 'merchant_or_rider' ? auth.scopes : []

/** How many rows a list gives at most. */
const mostOf = ({ query }: Route): number | undefined =>
  (query?.['limit']?.meta()?.override as { maximum: number } | undefined)?.maximum

describe('the table', () => {
  test('one operation has one name', () => {
    const ids = routes.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const paths = routes.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(paths).size).toBe(paths.length)
  })

  test.each(named(served))('%s asks its own rpc, or that of the twin it is named after', async (_name, route) => {
    upstream.asked.length = 0
    const token = await tokenOf(route)
    await call(running.url, route.method, addressOf(route), { token, body: bodies[route.operationId] })
    const own = [route.operationId, rpcNameOf(route.operationId)]
    expect(upstream.asked.map(({ rpc }) => rpc).filter((rpc) => own.includes(rpc))).not.toEqual([])
  })

  test.each(named(routes))('%s is documented', (_name, { method, path, operationId }) => {
    expect(reference.paths[path]?.[method.toLowerCase()]?.['operationId']).toBe(operationId)
  })
})

describe('a good request', () => {
  test.each(named(served))('%s sends only what it declares, in its declared shape', async (_name, route) => {
    const token = await tokenOf(route)
    const body = bodies[route.operationId]
    const answer = await call(running.url, route.method, addressOf(route), { token, body })
    expect([Object.keys(route.replies), answer.body?.error]).toEqual([
      expect.arrayContaining([String(answer.status)]),
      undefined,
    ])
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-\d\d$/)
    expect(answer.headers.get('cache-control')).toBe(KEPT[route.operationId] ?? 'no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('a reply that lacks what is always there is internal_error, and says no more', async () => {
  upstream.answers.set('getOrder', { order: { ...order, created_at: undefined } })
  const answer = await call(running.url, 'GET', pathOf('/v1/orders/{id}'), { token: vault.key() })
  upstream.answers.clear()
  expect([answer.status, Object.keys(answer.body)]).toEqual([500, ['error', 'message', 'request_id']])
})

test.each(named(routes.filter((route) => !served.includes(route))))(
  '%s refuses everybody with its one code',
  async (_name, route) => {
    const answer = await call(running.url, route.method, addressOf(route), { token: await tokenOf(route) })
    expect([answer.body.error]).toEqual(route.errors)
  },
)

/** What every operator may do, about itself. */
const ABOUT_ITSELF: ReadonlySet<string> = new Set(['changeOperatorPassword'])

describe('a bad credential', () => {
  test.each(named(guarded))('%s without any is 401 missing', async (_name, route) => {
    const answer = await call(running.url, route.method, addressOf(route))
    expect([answer.status, answer.body.error, answer.body.details]).toEqual([
      401,
      'unauthorized',
      { reason: 'missing' },
    ])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test.each(named(guarded))('%s with one of another class is 401 invalid', async (_name, route) => {
    for (const token of await tokensOfOtherClasses(vault, route.auth)) {
      const answer = await call(running.url, route.method, addressOf(route), { token })
      expect([answer.status, answer.body.details]).toEqual([401, { reason: 'invalid' }])
    }
  })

  test.each(named(guarded.filter((route) => served.includes(route) && scopesOf(route).length > 0)))(
    '%s without its scope is 403 naming the scope, with any one of them it is not',
    async (_name, route) => {
      const wanted = scopesOf(route)
      const lacking = vault.key({ scopes: SCOPES.filter((scope) => !wanted.includes(scope)) })
      const refused = await call(running.url, route.method, addressOf(route), { token: lacking })
      expect([refused.status, refused.body.error, refused.body.details]).toEqual([
        403,
        'forbidden',
        { required: wanted },
      ])
      for (const scope of wanted) {
        const token = vault.key({ scopes: [scope] })
        const answer = await call(running.url, route.method, addressOf(route), { token })
        expect([scope, [401, 403].includes(answer.status)]).toEqual([scope, false])
      }
    },
  )

  test.each(named(guarded.filter(({ auth, operationId }) => auth.kind === 'admin' && !ABOUT_ITSELF.has(operationId))))(
    '%s without its permission is 403 naming the permission',
    async (_name, route) => {
      const wanted = route.auth.kind === 'admin' ? route.auth.permission : undefined
      expect(wanted).toBeDefined()
      const token = await vault.operator(PERMISSIONS.filter((permission) => permission !== wanted))
      const answer = await call(running.url, route.method, addressOf(route), { token })
      expect([answer.status, answer.body.details]).toEqual([403, { required: [wanted] }])
    },
  )
})

describe('a deprecated route', () => {
  const deprecated = routes.filter((route) => route.deprecated)
  const HALF_A_YEAR_MS = 180 * 24 * 60 * 60 * 1000

  test.each(named(deprecated))(
    '%s says since when, until when and where to read on, also as it refuses',
    async (_name, route) => {
      const { since, sunset } = route.deprecated as { since: string; sunset: string }
      expect(Date.parse(sunset) - Date.parse(since)).toBeGreaterThanOrEqual(HALF_A_YEAR_MS)
      for (const token of [await tokenOf(route), undefined]) {
        const { headers } = await call(running.url, route.method, addressOf(route), { token })
        expect(headers.get('deprecation')).toBe(`@${Date.parse(`${since}T00:00:00Z`) / 1000}`)
        expect(headers.get('sunset')).toMatch(/^\w{3}, \d\d \w{3} \d{4} 00:00:00 GMT$/)
        expect(Date.parse(headers.get('sunset') as string)).toBe(Date.parse(sunset))
        const [, page] = /^<([^>]+)>; rel="deprecation"; type="text\/html"$/.exec(headers.get('link') as string) ?? []
        expect((await call(running.url, 'GET', page as string)).text).toContain(`${route.method} ${route.path}`)
      }
    },
  )

  test.each(named(deprecated))(
    '%s is deprecated in the reference, and stands in the changelog',
    async (name, route) => {
      const operation = reference.paths[route.path]?.[route.method.toLowerCase()]
      expect([operation?.['deprecated'], operation?.['description']]).toEqual([
        true,
        expect.stringContaining(
          `Deprecated since ${route.deprecated?.since}, and may be gone from ${route.deprecated?.sunset} on.`,
        ),
      ])
      expect((await call(running.url, 'GET', '/docs/guides/changelog')).text).toContain(name)
    },
  )

  test('is no other, nor does another say that it is', async () => {
    expect(deprecated.length).toBeGreaterThan(0)
    const { body, headers } = await call(running.url, 'GET', '/v1/orders', { token: vault.key() })
    expect([body.error, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
      undefined,
      null,
      null,
      null,
    ])
  })
})

describe('a bad request', () => {
  test.each(named(withBody))('%s with an empty body is 400 naming a field', async (_name, route) => {
    const token = await tokenOf(route)
    for (const body of [undefined, {}]) {
      const answer = await call(running.url, route.method, addressOf(route), { token, body })
      expect([answer.status, answer.body.error]).toEqual([400, 'validation_error'])
      expect(answer.body.details).toEqual(
        expect.objectContaining({ field: expect.stringMatching(/./), rule: expect.any(String) }),
      )
      expect(answer.body.details.fields.length).toBeGreaterThan(0)
    }
  })

  test.each(named(routes.filter(({ path }) => /\{\w*id\}/i.test(path))))(
    '%s with a malformed id is 404, or a wrong signature where one is asked for',
    async (_name, route) => {
      const path = route.path.replaceAll(/\{\w+\}/g, 'not-an-id')
      const answer = await call(running.url, route.method, path, { token: await tokenOf(route) })
      const refusal = route.auth.kind === 'signed' ? [401, 'invalid_signature'] : [404, 'not_found']
      expect([answer.status, answer.body.error]).toEqual(refusal)
    },
  )

  test.each(named(routes.filter(({ query }) => query?.['limit'])))(
    '%s keeps to the rules of paging',
    async (_name, route) => {
      const token = await tokenOf(route)
      const address = addressOf(route)
      const ask = (query: string) =>
        call(running.url, route.method, `${address}${address.includes('?') ? '&' : '?'}${query}`, { token })
      for (const query of [
        'limit=0',
        'limit=-1',
        'limit=x',
        'limit=1.5',
        'limit=',
        ...(route.query?.['offset'] ? ['offset=-1', 'offset=x'] : []),
      ]) {
        const answer = await ask(query)
        expect([query, answer.status, answer.body.details?.field]).toEqual([query, 400, query.split('=')[0]])
      }
      upstream.asked.length = 0
      expect((await ask('limit=99999999999999999999&whatever=1')).status).toBe(200)
      const limits = upstream.asked.map(({ request }) => request['limit']).filter((limit) => limit !== undefined)
      expect(limits).toEqual([mostOf(route)])
    },
  )

  const strictly = { prefer: 'respond-async, Handling="strict"' }
  const withUnknown = (route: Route) => {
    const address = addressOf(route)
    return `${address}${address.includes('?') ? '&' : '?'}${['staus=dead', 'a%2C%C3%A9=1', 'staus=x', '__proto__=1'].join('&')}`
  }

  test.each(named(reading))('%s tells which query parameters it ignored', async (_name, route) => {
    const sent = { token: await tokenOf(route), body: bodies[route.operationId] }
    const answer = await call(running.url, route.method, withUnknown(route), sent)
    expect([Object.keys(route.replies), answer.body?.error]).toEqual([
      expect.arrayContaining([String(answer.status)]),
      undefined,
    ])
    expect(answer.headers.get('x-ignored-query')).toBe('staus, a%2C%C3%A9, __proto__')
    const known = await call(running.url, route.method, addressOf(route), { ...sent, headers: strictly })
    expect([known.body?.error, known.headers.get('x-ignored-query'), known.headers.get('preference-applied')]).toEqual([
      undefined,
      null,
      'handling=strict',
    ])
  })

  test.each(named(reading))('%s refuses them who asks for it, and nothing has happened', async (_name, route) => {
    upstream.asked.length = 0
    const sent = { token: await tokenOf(route), body: bodies[route.operationId], headers: strictly }
    const answer = await call(running.url, route.method, withUnknown(route), sent)
    const allowed = Object.keys(route.query ?? {})
    expect([answer.status, answer.body.error, answer.body.details]).toMatchObject([
      400,
      'unknown_parameter',
      { field: 'staus', rule: 'unknown_parameter', allowed, fields: [{}, { field: 'a,é' }, { field: '__proto__' }] },
    ])
    expect(effectsOf(upstream)).toEqual([])
  })

  test.each([
    ['handling=lenient', 200],
    ['handling=lenient, handling=strict', 200],
    ['respond-async', 200],
    ['mishandling=strict', 200],
    ['handling=strict-ish', 200],
    ['HANDLING = strict; x=y', 400],
  ])('Prefer: %s is read as RFC 7240 has it', async (prefer, status) => {
    const answer = await call(running.url, 'GET', '/v1/orders?staus=x', { token: vault.key(), headers: { prefer } })
    expect(answer.status).toBe(status)
  })

  test('of many and long names a few are told, and no name breaks the answer', async () => {
    const names = [
      '%F0%9F%9A%B2'.repeat(100),
      `x${'%F0%9F%9A%B2'.repeat(100)}`,
      '',
      '%0D%0AX-Evil%3A%201',
      '%FF',
      'f',
      'g',
    ]
    const answer = await call(running.url, 'GET', `/v1/orders?${names.map((name) => `${name}=1`).join('&')}`, {
      token: vault.key(),
    })
    const told = answer.headers.get('x-ignored-query') as string
    expect([answer.status, told.split(', ').length, told.length < 2_000]).toEqual([200, 5, true])
    expect(told).toContain('%0D%0AX-Evil%3A%201, %EF%BF%BD')
  })

  test('another method on a path is 405 with Allow, an unknown path 404, both without a credential', async () => {
    for (const [path, onPath] of Map.groupBy(routes, (route) => route.path)) {
      const other = ['PUT', 'DELETE', 'PATCH'].find((method) => onPath.every((route) => route.method !== method))
      const answer = await call(running.url, other as string, pathOf(path))
      expect([path, answer.status, answer.body.error]).toEqual([path, 405, 'method_not_allowed'])
      for (const { method } of onPath) expect(answer.headers.get('allow')).toContain(method)
    }
    for (const path of ['/v1/nothing', '/v1/orders/%E0%A4%A', '/V1/orders']) {
      const answer = await call(running.url, 'GET', path)
      expect([path, answer.status, answer.body.error]).toEqual([path, 404, 'not_found'])
    }
  })

  test.each([
    ['/orders', '/v1/orders'],
    ['/V1/Orders', '/v1/orders'],
    ['//v1//orders//', '/v1/orders'],
    ['/v1/order', '/v1/orders'],
    ['/order', '/v1/orders'],
    ['/v1/order/abc', '/v1/orders/abc'],
    ['/v1/shipment/abc/submit', '/v1/shipments/abc/submit'],
    ['/v1/me/wallets', '/v1/me/wallet'],
    ['/orders/abc/cancel?x=1', '/v1/orders/abc/cancel'],
    ['/v1/webhooks', undefined],
    [`/${'x'.repeat(5_000)}`, undefined],
  ])('an unknown path says so, and which one was probably meant: %s', async (path, nearest) => {
    const { status, body } = await call(running.url, 'GET', path)
    expect([status, body.error, body.details]).toEqual([
      404,
      'not_found',
      { reason: 'no_such_path', ...(nearest && { nearest }) },
    ])
    expect(body.message).toContain(nearest ? `Did you mean ${nearest}?` : 'See /docs.')
    expect(body.message.length).toBeLessThan(500)
  })
})

describe('the merchants of operators', () => {
  test('cost one question about their endpoints, however many are on the page', async () => {
    upstream.asked.length = 0
    const { status } = await call(running.url, 'GET', '/v1/admin/merchants', { token: await vault.operator() })
    expect(status).toBe(200)
    expect(effectsOf(upstream).toSorted()).toEqual(['getOutboundWebhooks', 'listMerchants'])
  })

  test('show the secret that enabling a webhook generated, in that one reply', async () => {
    const token = await vault.operator()
    const path = pathOf('/v1/admin/merchants/{merchantId}')
    const enabled = await call(running.url, 'PATCH', path, { token, body: { outbound_webhook_enabled: true } })
    expect(enabled.body.outbound_webhook_secret).toBe('generated-secret-123')
    const other = await call(running.url, 'PATCH', path, { token, body: { kyb_notes: 'seen' } })
    expect([other.status, Object.keys(other.body)]).toEqual([200, ['merchant']])
  })

  test('change before their endpoints do, so that no refusal swallows a generated secret', async () => {
    const token = await vault.operator()
    const path = pathOf('/v1/admin/merchants/{merchantId}')
    upstream.asked.length = 0
    await call(running.url, 'PATCH', path, { token, body: { kyb_notes: 'x', outbound_webhook_enabled: true } })
    expect(effectsOf(upstream)).toEqual(['updateMerchant', 'updateOutboundWebhook'])
  })
})

test('the committed descriptions are what the sources say', async () => {
  for (const [name, text] of Object.entries(await described()))
    expect(await readFile(new URL(`../${name}`, import.meta.url), 'utf8')).toBe(text)
})

test.each(['/openapi.json', '/asyncapi.json'])(
  '%s names the address of the installation, where it is known',
  async (path) => {
    const elsewhere = await startGateway(upstream, { publicBaseUrl: 'https://api.example.com' })
    const { servers } = (await call(elsewhere.url, 'GET', path)).body
    await elsewhere.gateway.stop()
    expect(JSON.stringify(servers)).toContain('api.example.com')
    expect((await call(running.url, 'GET', path)).body.servers).toBeUndefined()
  },
)

test.each(['/openapi.json', '/asyncapi.json'])('%s answers 304 to whoever has it', async (path) => {
  const first = await call(running.url, 'GET', path)
  const etag = first.headers.get('etag') as string
  expect(etag).toMatch(/^"[\w-]{43}(-gzip|-br)?"$/)
  const second = await call(running.url, 'GET', path, { headers: { 'if-none-match': etag } })
  expect([second.status, second.text]).toEqual([304, ''])
})
