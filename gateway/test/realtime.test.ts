import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import { eventually } from '@svc/testing'
import { Redis } from 'ioredis'
import { io, type Socket } from 'socket.io-client'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { replies } from './replies.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
let other: Running
let redis: Redis
let opened: Socket[]

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
  other = await startGateway(upstream, { redisPrefix: running.redisPrefix })
  redis = new Redis(running.redisUrl)
})
afterAll(async () => {
  redis?.disconnect()
  await running?.gateway.stop()
  await other?.gateway.stop()
  await upstream?.stop()
})
beforeEach(() => {
  opened = []
})
afterEach(() => {
  for (const socket of opened) socket.disconnect()
})

interface Heard {
  name: string
  body: any
  atMs: number
}

/** A socket that has joined, and what it hears. */
async function listen(
  auth: object,
  at = running,
): Promise<{ socket: Socket; heard: Heard[]; named: (name: string) => Heard[] }> {
  const socket = io(at.url, { path: '/realtime', auth, transports: ['websocket'], reconnection: false, forceNew: true })
  opened.push(socket)
  const heard: Heard[] = []
  socket.onAny((name: string, body: unknown) => heard.push({ name, body, atMs: performance.now() }))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The first message is the snapshot or the status: from then on the socket is in its room.
  socket.onAny(() => resolve())
  socket.on('connect_error', reject)
  await promise
  return { socket, heard, named: (name) => heard.filter((one) => one.name === name) }
}

const refusalOf = (auth: object): Promise<string> =>
  listen(auth).then(
    () => 'joined',
    (error: Error) => error.message,
  )

const tell = (event: NonNullable<RealtimeEvent['event']>) =>
  redis.publish(`${running.redisPrefix}svc.dispatch.realtime`, Buffer.from(RealtimeEvent.encode({ event }).finish()))

const location = (changes: Partial<RiderLocation> = {}): RiderLocation => ({
  rider_id: '0b7f1d3c-6d0f-4f3c-9a64-0d5f3a1c2b3e',
  merchant_id: vault.merchantId,
  lat: 6.45,
  lng: 3.39,
  recorded_at: '2030-01-01T00:00:00.000Z',
  received_at: '2030-01-01T00:00:00.100Z',
  active_order_ids: ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
  is_test: false,
  seq: 1,
  ...changes,
})

const moved = (one: RiderLocation, trackedOrderIds: string[] = []) =>
  tell({ $case: 'rider_moved', value: { locations: [one], tracked_order_ids: trackedOrderIds } })

describe('a merchant socket', () => {
  test('gets a snapshot as it joins and every move after it, on whichever replica it is', async () => {
    const token = await vault.login()
    const [here, there] = [
      await listen({ merchant_access_token: token }),
      await listen({ merchant_access_token: token }, other),
    ]
    for (const { named } of [here, there]) {
      expect(named('rider_locations_snapshot')[0]?.body).toMatchObject({
        merchant_id: vault.merchantId,
        at: expect.any(String),
      })
    }
    await moved(location())
    for (const { named } of [here, there]) {
      const [first] = await eventually(() => named('rider_location').length > 0 && named('rider_location'))
      expect(first?.body).toEqual({
        rider_id: location().rider_id,
        merchant_id: vault.merchantId,
        lat: 6.45,
        lng: 3.39,
        accuracy_m: null,
        heading_deg: null,
        speed_mps: null,
        recorded_at: '2030-01-01T00:00:00.000Z',
        received_at: '2030-01-01T00:00:00.100Z',
        active_order_ids: ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
        is_test: false,
        seq: 1,
      })
    }
  })

  test('hears of one rider at most once a second, and always the last position', async () => {
    const rider = crypto.randomUUID()
    const { named } = await listen({ merchant_access_token: await vault.login() })
    const ofRider = () => named('rider_location').filter(({ body }) => body.rider_id === rider)
    for (let seq = 1; seq <= 50; seq++) await moved(location({ rider_id: rider, seq }))
    await eventually(() => ofRider().at(-1)?.body.seq === 50)
    expect(ofRider().length).toBe(2)
    const [first, last] = ofRider()
    expect(last!.atMs - first!.atMs).toBeGreaterThan(900)
  })

  test('hears nothing of another tenant', async () => {
    const { heard, named } = await listen({ merchant_access_token: await vault.login() })
    await moved(location({ merchant_id: crypto.randomUUID(), rider_id: crypto.randomUUID() }))
    const own = crypto.randomUUID()
    await moved(location({ rider_id: own }))
    await eventually(() => named('rider_location').length > 0)
    expect(heard.filter(({ name }) => name === 'rider_location').map(({ body }) => body.rider_id)).toEqual([own])
  })

  test('with a test token sees the sandbox rider alone; with a live one nothing of the sandbox', async () => {
    const test = await listen({ merchant_access_token: await vault.login({ is_test: true }) })
    const live = await listen({ merchant_access_token: await vault.login({ is_test: false }) })
    const [fleet, sandbox] = [crypto.randomUUID(), crypto.randomUUID()]
    await moved(location({ rider_id: sandbox, is_test: true }))
    await moved(location({ rider_id: fleet }))
    const seen = (one: typeof test) =>
      one.named('rider_location').map(({ body }) => [body.rider_id, body.active_order_ids.length])
    await eventually(() => seen(test).length === 1 && seen(live).length === 1)
    expect(seen(test)).toEqual([[sandbox, 1]])
    expect(seen(live)).toEqual([[fleet, 1]])
  })

  test('learns that a rider went online', async () => {
    const { named } = await listen({ merchant_access_token: await vault.login() })
    const value = {
      rider_id: crypto.randomUUID(),
      merchant_id: vault.merchantId,
      is_online: true,
      changed_at: '2030-01-01T00:00:00.000Z',
      reason: 'rider',
    }
    await tell({ $case: 'rider_online_changed', value })
    await eventually(() => named('rider_online_status').length === 1)
    expect(named('rider_online_status')[0]?.body).toEqual(value)
  })

  test.each<[string, () => object | Promise<object>]>([
    ['nothing', () => ({})],
    ['a word', () => ({ merchant_access_token: 'nonsense' })],
    ['an API key', () => ({ merchant_access_token: vault.key() })],
    [
      'a token without a scope that reads',
      async () => ({ merchant_access_token: await vault.login({ scopes: ['webhooks:manage'] }) }),
    ],
    ["an operator's token", async () => ({ merchant_access_token: await vault.operator() })],
    ['an object', () => ({ merchant_access_token: { $ne: '' } })],
  ])('is refused when it shows %s', async (_what, auth) => {
    expect(await refusalOf(await auth())).toBe('unauthorized')
  })

  test('what it sends moves it into no room', async () => {
    const { socket, named } = await listen({ merchant_access_token: await vault.login() })
    const foreign = crypto.randomUUID()
    for (const name of ['join', 'subscribe', 'merchant']) socket.emit(name, `merchant:${foreign}`)
    await moved(location({ merchant_id: foreign }))
    const own = crypto.randomUUID()
    await moved(location({ rider_id: own }))
    await eventually(() => named('rider_location').length > 0)
    expect(named('rider_location').map(({ body }) => body.rider_id)).toEqual([own])
  })
})

describe('a tracking socket', () => {
  const token = 'abcdefghijklmnopqrstuv'
  const orderId = () => (replies.trackOrder as { order_id: string }).order_id

  test('joins its order alone: status first, then positions and changes of status', async () => {
    const { heard, named } = await listen({ tracking_token: token })
    expect(heard[0]).toMatchObject({
      name: 'tracking_status',
      body: { status: (replies.trackOrder as { status: string }).status },
    })
    await moved(location({ rider_id: crypto.randomUUID() }), [crypto.randomUUID()])
    await moved(location({ rider_id: crypto.randomUUID(), lat: 6.5 }), [orderId()])
    await eventually(() => named('tracking_location').length > 0)
    expect(named('tracking_location').map(({ body }) => body)).toEqual([
      { lat: 6.5, lng: 3.39, recorded_at: '2030-01-01T00:00:00.000Z' },
    ])
    const value = { order_id: orderId(), status: 'delivered', updated_at: '2030-01-01T00:00:05.000Z' }
    await tell({ $case: 'tracking_changed', value })
    await eventually(() => named('tracking_status').length === 2)
    expect(named('tracking_status').at(-1)?.body).toEqual({ status: 'delivered', updated_at: value.updated_at })
    expect(heard.some(({ name }) => name.startsWith('rider_'))).toBe(false)
  })

  test('is refused when its token has the wrong form', async () => {
    expect(await refusalOf({ tracking_token: 17 })).toBe('unauthorized')
  })
})

test('sockets end when the gateway stops, and the gateway stops in spite of them', async () => {
  const third = await startGateway(upstream, { redisPrefix: running.redisPrefix })
  const { socket } = await listen({ merchant_access_token: await vault.login() }, third)
  await third.gateway.stop()
  await eventually(() => socket.disconnected)
})

test('a session that is revoked loses its sockets on every replica, and another session keeps its own', async () => {
  // One replica looks again at once, the other in half a minute: what ends there was ended from here.
  const eager = await startGateway(upstream, { redisPrefix: running.redisPrefix, realtimeRoundMs: 50 })
  try {
    const sid = crypto.randomUUID()
    const token = await vault.login({ sid })
    const here = await listen({ merchant_access_token: token }, eager)
    const there = await listen({ merchant_access_token: token }, other)
    const stranger = await listen({ merchant_access_token: await vault.login({ sid: crypto.randomUUID() }) }, other)
    await redis.set(`${running.redisPrefix}epoch:session:${sid}`, 1)
    vault.revokedSessions.add(sid)
    await eventually(() => here.socket.disconnected && there.socket.disconnected)
    expect(stranger.socket.connected).toBe(true)
  } finally {
    await eager.gateway.stop()
  }
})
