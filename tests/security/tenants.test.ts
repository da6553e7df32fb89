import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SCOPES } from '@svc/credentials'
import { eventually, type Receiver, receiver } from '@svc/testing'
import * as z from 'zod'
import type { MerchantAuth, MerchantOrRiderAuth, Route } from '../../gateway/src/http/route.ts'
import { routes } from '../../gateway/src/routes/index.ts'
import { DROPOFF, joinFleet, PICKUP, placed } from '../journeys/fleet.ts'
import { Api, answered, orderBody, type Reply } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { type Trading, tradingMerchant, type World, world } from './world.ts'

/** From which five sign up in an hour: no other file does from here. */
const ADDRESS = '127.0.71.1'

let the: World
let owner: Trading
let stranger: Trading
/** Has granted the stranger everything. */
let friend: Trading
let shop: Receiver
let ids: Record<Kind, string[]>

type Kind =
  | 'order'
  | 'shipment'
  | 'delivery'
  | 'rider'
  | 'invite'
  | 'instrument'
  | 'withdrawal'
  | 'remittance'
  | 'key'
  | 'grant'
  | 'quote'
  | 'signup'
  | 'businessAccount'
  | 'phoneNumber'

beforeAll(async () => {
  the = await world()
  shop = await receiver()
  owner = await tradingMerchant(the, ADDRESS)
  stranger = await tradingMerchant(the, ADDRESS)
  friend = await tradingMerchant(the, ADDRESS)
  await topUp(the.system, owner.live, 20_000_000)
  ids = await possessionsOf(owner)
  const grantee_merchant_id = stranger.merchantId
  answered(201, await friend.owner.post('/v1/me/workspace-grants', { grantee_merchant_id, scopes: SCOPES }))
  const scopes = ['riders:location']
  answered(201, await owner.owner.post('/v1/me/workspace-grants', { grantee_merchant_id, scopes }))
  await pendingSignup(stranger)
})

afterAll(() => shop?.close())

const TRIP = { pickup_lat: PICKUP.lat, pickup_lng: PICKUP.lng, dropoff_lat: DROPOFF.lat, dropoff_lng: DROPOFF.lng }

/** The code of a signup that grants several phone numbers, none of which anybody else was granted. */
const cloudCode = () => `many-${randomUUID()}`

/** A signup that waits for the choice of one of the phone numbers that it has granted. */
async function pendingSignup({ owner: login }: Trading) {
  const asked = await login.post('/v1/me/messaging-app/cloud/exchange-token', { code: cloudCode() })
  return answered(409, asked).body.details as {
    signup_id: string
    candidates: { waba_id: string; phone_number_id: string }[]
  }
}

/** A phone number connected at the messaging app's cloud, and a signup that is to connect another. */
async function messagingApp(merchant: Trading) {
  const path = '/v1/me/messaging-app/cloud/exchange-token'
  const { connection } = answered(200, await merchant.owner.post(path, { code: `one-${randomUUID()}` })).body
  const { signup_id, candidates } = await pendingSignup(merchant)
  const assets = [connection, candidates[0]] as typeof candidates
  return {
    signup: [signup_id],
    businessAccount: assets.map(({ waba_id }) => waba_id),
    phoneNumber: assets.map(({ phone_number_id }) => phone_number_id),
  }
}

/** A hand-over of cash that the sandbox rider collected and the merchant has not confirmed. */
async function declaredCash(sandbox: Api): Promise<string> {
  const { order } = answered(201, await sandbox.post('/v1/orders', orderBody({ cod_amount_minor: 4_000 }))).body
  answered(200, await sandbox.post('/v1/test/simulator/rider-action', { order_id: order.id, action: 'deliver' }))
  const held = await eventually(async () => {
    const { items } = answered(200, await sandbox.get('/v1/me/cod-accounts')).body
    return items[0] ?? false
  })
  const declared = { rider_id: held.rider_id, amount_minor: 4_000 }
  return answered(201, await sandbox.post('/v1/me/cod-remittances', declared)).body.remittance.id
}

/** One of everything that a merchant can have, on both sides of the wall where there are two. */
async function possessionsOf(merchant: Trading): Promise<typeof ids> {
  const { live, test: sandbox, owner: login } = merchant
  answered(200, await sandbox.patch('/v1/me/outbound-webhook', { url: shop.url, enabled: true }))
  const rider = await joinFleet({ ...the, live }, 'Ife Own', 0.01)
  const orders = [await sandbox.post('/v1/orders', orderBody()), await live.post('/v1/orders', placed())]
  const order = orders.map((reply) => answered(201, reply).body.order.id as string)
  const bulk = {
    orders: [{ recipient_name: 'Ada', recipient_phone: '08031234567', dropoff_address: '2 Broad Street, Lagos' }],
  }
  const shipments = [
    await sandbox.post('/v1/shipments/bulk-json', bulk),
    await live.post('/v1/shipments/bulk-json', bulk),
  ]
  const delivery = await eventually(async () => {
    const { items } = answered(200, await sandbox.get('/v1/me/outbound-webhook/deliveries')).body
    return items.length > 0 ? [items[0].id as string] : false
  })
  const invite = answered(201, await live.post('/v1/me/fleet/invite-codes', {})).body.id as string
  const account = { bank_code: '058', account_number: '0123456789', account_name: 'Kitchen' }
  const instrument = answered(201, await login.post('/v1/me/payout-instruments', account)).body
  const asked = answered(201, await login.post('/v1/me/withdrawals/request', { amount_minor: 9_000_000 })).body
  const keys = answered(200, await login.get('/v1/me/api-keys')).body.items as { id: string }[]
  const grant = { grantee_merchant_id: friend.merchantId, scopes: ['orders:read'] }
  const given = answered(201, await login.post('/v1/me/workspace-grants', grant)).body
  const quotes = [await sandbox.post('/v1/me/pricing/quote', TRIP), await live.post('/v1/me/pricing/quote', TRIP)]
  return {
    order,
    shipment: shipments.map((reply) => answered(201, reply).body.shipment_id as string),
    delivery: delivery as string[],
    rider: [rider.id],
    invite: [invite],
    instrument: [(instrument.payout_instrument ?? instrument).id],
    withdrawal: [asked.withdrawal.id],
    remittance: [await declaredCash(sandbox)],
    key: keys.map(({ id }) => id),
    grant: [given.id],
    quote: quotes.map((reply) => answered(200, reply).body.quote_id as string),
    ...(await messagingApp(merchant)),
  }
}

interface Row {
  kind: Kind
  body?: (id: string) => object
  query?: (id: string) => string
}

const simulated = () => orderBody().standardized

const point = { lat: PICKUP.lat, lng: PICKUP.lng }
const aDay = 'since=2026-11-20T00:00:00Z&until=2026-11-20T12:00:00Z'

/** Of whom or what each route that takes an id is asked here. */
const ROWS: Readonly<Record<string, Row | readonly Row[]>> = {
  createOrder: [
    { kind: 'quote', body: (quote_id) => placed({ quote_id }) },
    { kind: 'rider', body: (rider_id) => placed({}, { rider_id }) },
  ],
  preflightOrder: [
    { kind: 'quote', body: (quote_id) => placed({ quote_id }) },
    { kind: 'rider', body: (rider_id) => placed({}, { rider_id }) },
  ],
  createSimulatorOrder: { kind: 'rider', body: (rider_id) => ({ ...simulated(), rider_id }) },
  createAutoSimulatorOrder: { kind: 'rider', body: (rider_id) => ({ ...simulated(), rider_id }) },
  getOrder: { kind: 'order' },
  updateOrder: { kind: 'order', body: () => ({ status: 'accepted' }) },
  cancelOrder: { kind: 'order', body: () => ({ reason: 'other' }) },
  getShipment: { kind: 'shipment' },
  submitShipment: { kind: 'shipment' },
  cancelShipment: { kind: 'shipment' },
  assignRider: { kind: 'order', body: () => ({ rider_id: null }) },
  listDispatchCandidates: { kind: 'order', query: () => `lat=${point.lat}&lng=${point.lng}` },
  getDispatchTrace: { kind: 'order' },
  simulateRiderAction: { kind: 'order', body: (order_id) => ({ order_id, action: 'accept' }) },
  startScenario: { kind: 'order', body: (order_id) => ({ order_id, scenario: 'accept' }) },
  getScenario: { kind: 'order' },
  listDeliveries: { kind: 'order', query: (id) => `order_id=${id}` },
  listEvents: { kind: 'order', query: (id) => `order_id=${id}` },
  listEscrowLedger: { kind: 'order', query: (id) => `order_id=${id}` },
  retryDelivery: { kind: 'delivery' },
  listPositionHistory: { kind: 'rider', query: () => aDay },
  removeFleetRider: { kind: 'rider' },
  recordPositions: { kind: 'rider', body: () => point },
  setRiderOnline: { kind: 'rider', body: () => ({ is_online: true }) },
  requestRiderPhoneOtp: { kind: 'rider', body: () => ({}) },
  verifyRiderPhoneOtp: { kind: 'rider', body: () => ({ code: '123456' }) },
  mintRiderToken: { kind: 'rider', body: (rider_id) => ({ rider_id }) },
  revokeInviteCode: { kind: 'invite' },
  setDefaultPayoutInstrument: { kind: 'instrument', body: () => ({ is_default: true }) },
  requestWithdrawal: {
    kind: 'instrument',
    body: (payout_instrument_id) => ({ amount_minor: 250_000, payout_instrument_id }),
  },
  cancelWithdrawal: { kind: 'withdrawal' },
  getCashStatement: { kind: 'rider', query: (id) => `rider_id=${id}` },
  listCashAccounts: { kind: 'rider', query: (id) => `rider_id=${id}` },
  listRemittances: { kind: 'rider', query: (id) => `rider_id=${id}` },
  declareRemittance: { kind: 'rider', body: (rider_id) => ({ rider_id, amount_minor: 1 }) },
  confirmRemittance: { kind: 'remittance', body: () => ({}) },
  disputeRemittance: { kind: 'remittance', body: () => ({ reason: 'nobody came' }) },
  rotateApiKey: { kind: 'key', body: () => ({}) },
  revokeApiKey: { kind: 'key' },
  revokeWorkspaceGrant: { kind: 'grant' },
  exchangeCloudToken: [
    { kind: 'businessAccount', body: (waba_id) => ({ code: cloudCode(), waba_id }) },
    { kind: 'phoneNumber', body: (phone_number_id) => ({ code: cloudCode(), phone_number_id }) },
  ],
  selectCloudAsset: [
    { kind: 'signup', body: (signup_id) => ({ phone_number_id: ids.phoneNumber[1], signup_id }) },
    { kind: 'businessAccount', body: (waba_id) => ({ phone_number_id: ids.phoneNumber[1], waba_id }) },
    { kind: 'phoneNumber', body: (phone_number_id) => ({ phone_number_id }) },
  ],
}

/** Routes whose ids are the caller's own words, or name nobody's possession. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  exchangeApiKey: 'the grantor: without its grant it is refused, below',
  createWorkspaceGrant: 'any merchant may be named',
  createCommissionDispute: 'an entry is named as its merchant says: an operator looks at it',
  getActiveWorkspaceGrant: 'any merchant may be asked about, and each is told of its own grants alone',
}

const OWN_IDS = new Set(['external_order_id'])

const keysOf = (schema: unknown): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])
const idsIn = ({ path, query, body }: Route): string[] => [
  ...[...path.matchAll(/\{(\w*[iI]d)\}/g)].map(([, name = '']) => name),
  ...[...Object.keys(query ?? {}), ...keysOf(body)].filter((name) => /(^|_)id$/.test(name) && !OWN_IDS.has(name)),
]

type OfMerchants = Route & { auth: MerchantAuth | MerchantOrRiderAuth }
const isOfMerchants = (route: Route): route is OfMerchants =>
  route.auth.kind === 'merchant' || route.auth.kind === 'merchant_or_rider'
const takingIds = routes.filter(isOfMerchants).filter((route) => idsIn(route).length > 0)
const swept = routes.filter(isOfMerchants).filter(({ operationId }) => operationId in ROWS)

test('every route of merchants that takes an id is tried here with the id of another tenant', () => {
  const tried = [...Object.keys(ROWS), ...Object.keys(OWN_WORDS)]
  expect(tried.toSorted()).toEqual(takingIds.map(({ operationId }) => operationId).toSorted())
})

/** All of an answer but what names the request and the id that was asked for. */
const said = ({ status, body }: Reply, id: string) => {
  const { request_id: _each, ...rest } = (typeof body === 'object' ? body : { text: body }) as Record<string, unknown>
  return `${status} ${JSON.stringify(rest).replaceAll(id, '<id>')}`
}

const rowsOf = ({ operationId }: Route): readonly Row[] => [ROWS[operationId] ?? []].flat()

const ask = (api: Api, { method, path }: Route, { body, query }: Row, id: string) => {
  const address = path.replaceAll(/\{\w+\}/g, id) + (query ? `?${query(id)}` : '')
  return api.send(method, address, body?.(id))
}

/** An id that nobody has, in the form of the ids of its kind. */
const idOfNobody = (kind: Kind): string =>
  kind === 'businessAccount' || kind === 'phoneNumber' ? `9${randomInt(1e13, 1e14)}` : randomUUID()

/** Where an id of the owner is answered otherwise than one that nobody has. */
async function tellingApart(api: Api, route: Route): Promise<string[]> {
  const found: string[] = []
  for (const row of rowsOf(route))
    for (const id of ids[row.kind]) {
      const nobodys = idOfNobody(row.kind)
      const theirs = said(await ask(api, route, row, id), id)
      const unknown = said(await ask(api, route, row, nobodys), nobodys)
      if (theirs !== unknown) found.push(`${id}: ${theirs}\n${nobodys}: ${unknown}`)
    }
  return found
}

const named = (list: readonly OfMerchants[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const)
const covers = ({ auth: { scopes } }: OfMerchants) => scopes.includes('riders:location')

describe("the id of another tenant's possession is answered like one that nobody has", () => {
  test.each(named(swept))('by %s, to a test key, a live key and a log-in', async (_name, route) => {
    for (const api of [stranger.test, stranger.live, stranger.owner]) expect(await tellingApart(api, route)).toEqual([])
  })

  test.each(named(swept))('by %s, to who acts for a third merchant', async (_name, route) => {
    const acting = { 'x-service-act-as-merchant': friend.merchantId }
    for (const api of [stranger.test, stranger.live]) expect(await tellingApart(api.with(acting), route)).toEqual([])
  })

  test.each(named(swept.filter((route) => !covers(route))))(
    '%s is refused alike, to who acts for that tenant by a grant that does not cover it',
    async (_name, route) => {
      const acting = { 'x-service-act-as-merchant': owner.merchantId }
      for (const api of [stranger.test, stranger.live]) {
        expect(await tellingApart(api.with(acting), route)).toEqual([])
        for (const row of rowsOf(route))
          expect((await ask(api.with(acting), route, row, idOfNobody(row.kind))).status).toBe(403)
      }
    },
  )

  test('and none of it was changed', async () => {
    const [sandboxed = '', live = ''] = ids.order
    expect(answered(200, await owner.test.get(`/v1/orders/${sandboxed}`)).body.order.status).toBe('pending')
    expect(answered(200, await owner.live.get(`/v1/orders/${live}`)).body.order.status).not.toBe('cancelled')
    const keys = answered(200, await owner.owner.get('/v1/me/api-keys')).body.items
    expect(keys.filter(({ revoked_at }: { revoked_at: string | null }) => revoked_at !== null)).toEqual([])
    const cloud = answered(200, await owner.owner.get('/v1/me/messaging-app/cloud/status')).body
    expect([cloud.connection.phone_number_id, cloud.signup_id]).toEqual([ids.phoneNumber[0], ids.signup[0]])
  })
})

describe('a grant', () => {
  const grantOf = async (grantor: Trading, scopes: readonly string[]) => {
    const body = { grantee_merchant_id: stranger.merchantId, scopes }
    const { items } = answered(200, await grantor.owner.get('/v1/me/workspace-grants')).body
    const active = items.find(
      (one: { grantee_merchant_id: string; status: string }) =>
        one.grantee_merchant_id === stranger.merchantId && one.status === 'active',
    )
    if (active) answered(200, await grantor.owner.delete(`/v1/me/workspace-grants/${active.id}`))
    return answered(201, await grantor.owner.post('/v1/me/workspace-grants', body)).body.id as string
  }

  test('lets a grantee place and read orders of the grantor, in its tenant, by a header or a delegated token', async () => {
    await grantOf(friend, ['orders:read', 'orders:write'])
    const acting = stranger.test.with({ 'x-service-act-as-merchant': friend.merchantId })
    const order = answered(201, await acting.post('/v1/orders', orderBody())).body.order
    expect(order.merchant_id ?? friend.merchantId).toBe(friend.merchantId)
    answered(200, await friend.test.get(`/v1/orders/${order.id}`))
    expect((await stranger.test.get(`/v1/orders/${order.id}`)).status).toBe(404)

    const body = { grantor_merchant_id: friend.merchantId }
    const tokens = answered(200, await stranger.test.post('/v1/auth/token', body)).body
    expect(tokens).toMatchObject({ grantor_merchant_id: friend.merchantId, scope: 'orders:read orders:write' })
    const delegate = the.anyone.bearing(tokens.access_token)
    answered(200, await delegate.get(`/v1/orders/${order.id}`))
    expect(answered(200, await delegate.get('/v1/auth/me')).body.merchant.id).toBe(friend.merchantId)
    expect((await delegate.get('/v1/me/outbound-webhook')).status).toBe(403)
    const nobody = await stranger.test.post('/v1/auth/token', { grantor_merchant_id: randomUUID() })
    expect([nobody.status, nobody.body.details]).toEqual([403, { reason: 'no_active_grant' }])
  })

  test('that is revoked bites on the next request at every replica, for headers and for tokens', async () => {
    const id = await grantOf(friend, ['orders:read'])
    const body = { grantor_merchant_id: friend.merchantId }
    const tokens = answered(200, await stranger.test.post('/v1/auth/token', body)).body
    const replicas = the.system.baseUrls.map((baseUrl) => new Api(baseUrl))
    const byHeader = replicas.map((api) =>
      api.with({ ...stranger.test.headers, 'x-service-act-as-merchant': friend.merchantId }),
    )
    const byToken = replicas.map((api) => api.bearing(tokens.access_token))
    const statuses = (apis: Api[]) => Promise.all(apis.map(async (api) => (await api.get('/v1/orders')).status))
    expect(replicas).toHaveLength(2)
    expect(await statuses([...byHeader, ...byToken])).toEqual([200, 200, 200, 200])

    const startedAt = performance.now()
    answered(200, await friend.owner.delete(`/v1/me/workspace-grants/${id}`))
    const revokedAt = performance.now()
    expect(await statuses(byToken)).toEqual([401, 401])
    const refusedAt = performance.now()
    expect(await statuses(byHeader)).toEqual([403, 403])
    const ms = (from: number, to: number) => `${Math.round(to - from)} ms`
    process.stdout.write(
      `a grant revoked in ${ms(startedAt, revokedAt)}; refused by both gateways ${ms(revokedAt, refusedAt)} later\n`,
    )
    const again = await the.anyone.post('/v1/auth/refresh', { refresh_token: tokens.refresh_token })
    expect([again.status, again.body.details]).toEqual([401, { reason: 'revoked' }])
  })
})
