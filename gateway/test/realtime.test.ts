import { Agent, request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import { ServiceError } from '@svc/errors'
import { eventually } from '@svc/testing'
import type { Redis } from 'ioredis'
import { io, type Socket } from 'socket.io-client'
import { replies } from '../src/samples/replies.ts'
import { call } from './call.ts'
import { type Running, startGateway, type Upstream } from './fixture.ts'
import { startTwoGateways } from './two-gateways.ts'
import type { Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running
let other: Running
let redis: Redis
let stop: (() => Promise<void>) | undefined
let opened: Socket[]

beforeAll(async () => {
  ;({ vault, upstream, running, other, redis, stop } = await startTwoGateways())
})
afterAll(() => stop?.())
beforeEach(() => {
  opened = []
})
afterEach(() => {
  upstream.answers.clear()
  for (const socket of opened) socket.disconnect()
})

interface Heard {
  name: string
  body: any
}

/** A socket that has joined, and what it hears. */
async function listen(
  auth: object,
  at = running,
  from = '127.0.0.1',
): Promise<{ socket: Socket; heard: Heard[]; named: (name: string) => Heard[] }> {
  const socket = io(at.url, {
    path: '/realtime',
    auth,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { 'x-forwarded-for': from },
  })
  opened.push(socket)
  const heard: Heard[] = []
  socket.onAny((name: string, body: unknown) => heard.push({ name, body }))
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
    const startedAt = performance.now()
    for (let seq = 1; seq <= 50; seq++) await moved(location({ rider_id: rider, seq }))
    await eventually(() => ofRider().at(-1)?.body.seq === 50)
    const seconds = (performance.now() - startedAt) / 1_000
    // One at once, and one for each second after it.
    expect(ofRider().length).toBeLessThanOrEqual(seconds + 1.5)
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

test('a gateway that stops lets its sockets go to another by themselves: they lost a connection, not their leave', async () => {
  const third = await startGateway(upstream, { redisPrefix: running.redisPrefix })
  const { socket } = await listen({ merchant_access_token: await vault.login() }, third)
  const { promise: reason, resolve } = Promise.withResolvers<string>()
  socket.on('disconnect', resolve)
  await third.gateway.stop()
  // A client comes again after every reason but one: "io server disconnect".
  expect(await reason).toBe('transport close')
})

test('a gateway that is about to stop ends the connections of polling sockets with its next answer too', async () => {
  const third = await startGateway(upstream, { redisPrefix: running.redisPrefix })
  try {
    const connection = async () => {
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
      const sent = request(`${third.url}/realtime/?EIO=4&transport=polling`, { agent: keeping }, (response) => {
        response.resume().once('end', () => resolve(response.headers.connection))
      })
      sent.once('error', reject).end()
      return promise
    }
    const keeping = new Agent({ keepAlive: true })
    expect(await connection()).toBe('keep-alive')
    third.gateway.drain()
    expect(await connection()).toBe('close')
    keeping.destroy()
  } finally {
    await third.gateway.stop()
  }
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

test('of a session one token of which expires the sockets of that token end, and those of another stay, on every replica', async () => {
  const eager = { redisPrefix: running.redisPrefix, realtimeRoundMs: 50 }
  const replicas = [await startGateway(upstream, eager), await startGateway(upstream, eager)]
  try {
    const sid = crypto.randomUUID()
    // It is good for five seconds more: so much may clocks differ.
    const expiring = await vault.login({ sid, exp: Math.floor(Date.now() / 1000) + 3 })
    const refreshed = await vault.login({ sid })
    const everywhere = (token: string) =>
      Promise.all(replicas.map((at) => listen({ merchant_access_token: token }, at)))
    const [old, fresh] = [await everywhere(expiring), await everywhere(refreshed)]
    await eventually(() => old.every(({ socket }) => socket.disconnected))
    // What one replica tells the others leaves it before its own sockets end, and is heard before this.
    await moved(location({ rider_id: crypto.randomUUID() }))
    await eventually(() =>
      fresh.every(({ socket, named }) => socket.disconnected || named('rider_location').length > 0),
    )
    expect(fresh.map(({ socket }) => socket.connected)).toEqual([true, true])
  } finally {
    for (const { gateway } of replicas) await gateway.stop()
  }
})

test('a session that is revoked ends where Redis lets nobody be told of it, and the gateway lives', async () => {
  const [user, password] = [`no-publisher-${crypto.randomUUID()}`, crypto.randomUUID()]
  await redis.acl('SETUSER', user, 'reset', 'on', `>${password}`, '~*', '&*', '+@all', '-publish')
  const url = new URL(running.redisUrl)
  Object.assign(url, { username: user, password })
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const alone = await startGateway(upstream, { redisUrl: url.href, realtimeRoundMs: 50 })
  try {
    const sid = crypto.randomUUID()
    const { socket } = await listen({ merchant_access_token: await vault.login({ sid }) }, alone)
    await redis.set(`${alone.redisPrefix}epoch:session:${sid}`, 1)
    vault.revokedSessions.add(sid)
    await eventually(() => socket.disconnected)
    await eventually(async () => String(await redis.acl('LOG')).includes(user))
    expect((await call(alone.url, 'GET', '/health')).status).toBe(200)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
    await alone.gateway.stop()
    await redis.acl('DELUSER', user)
  }
})

describe('how many there are is bounded', () => {
  const started: Running[] = []
  const start = async (overrides: Parameters<typeof startGateway>[1]) => {
    const one = await startGateway(upstream, { trustedProxies: ['127.0.0.0/8'], ...overrides })
    started.push(one)
    return one
  }
  afterAll(async () => {
    for (const { gateway } of started) await gateway.stop()
  })
  const trackingToken = (letter: string) => letter.repeat(22)

  test('of one token 20 join and the next is refused; one that leaves makes room, and other tokens are free', async () => {
    const bounded = await start({})
    const auth = { tracking_token: trackingToken('a') }
    const joined = await Promise.all(Array.from({ length: 20 }, () => listen(auth, bounded)))
    await expect(listen(auth, bounded)).rejects.toThrow('rate_limited')
    await listen({ tracking_token: trackingToken('b') }, bounded)
    joined[0]?.socket.disconnect()
    await eventually(() => listen(auth, bounded).catch(() => false))
    await expect(listen(auth, bounded)).rejects.toThrow('rate_limited')
  })

  test('a token is asked about once, however many sockets it has and however slow the answer is', async () => {
    const eager = await start({ realtimeRoundMs: 60 })
    const [held, other] = [trackingToken('c'), trackingToken('d')]
    const asked = (token: string) => upstream.asked.filter(({ request }) => request['token'] === token).length
    const sockets = await Promise.all(Array.from({ length: 5 }, () => listen({ tracking_token: held }, eager)))
    const { promise, resolve } = Promise.withResolvers<object>()
    const answer = async ({ token }: Record<string, unknown>) => (token === held ? promise : replies.trackOrder)
    upstream.answers.set('trackOrder', answer)
    await listen({ tracking_token: other }, eager)
    const before = asked(held)
    await eventually(() => asked(held) > before)
    const rounds = asked(other)
    const once = asked(held)
    await eventually(() => asked(other) > rounds + 3)
    expect(asked(held)).toBe(once)
    upstream.answers.set('trackOrder', new ServiceError('not_found'))
    resolve(replies.trackOrder)
    await eventually(() => sockets.every(({ socket }) => socket.disconnected))
    upstream.answers.delete('trackOrder')
  })

  test('a socket ends by a judgement of its token, and by nothing else that happens to the question', async () => {
    const eager = await start({ realtimeRoundMs: 60 })
    const token = trackingToken('p')
    const asked = () => upstream.asked.filter(({ request }) => request['token'] === token).length
    const { socket } = await listen({ tracking_token: token }, eager)
    for (const failure of [new ServiceError('internal_error'), new ServiceError('service_unavailable')]) {
      upstream.answers.set('trackOrder', failure)
      const before = asked()
      await eventually(() => socket.disconnected || asked() > before + 2)
      expect([failure.code, socket.connected]).toEqual([failure.code, true])
    }
    upstream.answers.set('trackOrder', new ServiceError('not_found'))
    await eventually(() => socket.disconnected)
  })

  test('a round of snapshots begins once the one before it has ended, however slow the answers are', async () => {
    const eager = await start({ realtimeRoundMs: 60 })
    const token = trackingToken('q')
    const asked = (rpc: string) => upstream.asked.filter((one) => one.rpc === rpc).length
    const rounds = () => upstream.asked.filter(({ request }) => request['token'] === token).length
    await listen({ tracking_token: token }, eager)
    const { named } = await listen({ merchant_access_token: await vault.login() }, eager)
    const { promise, resolve } = Promise.withResolvers<object>()
    upstream.answers.set('listLivePositions', () => promise)
    const [before, since] = [asked('listLivePositions'), performance.now()]
    await eventually(() => asked('listLivePositions') > before)
    const begun = rounds()
    await eventually(() => rounds() > begun + 4)
    // A question is given up after five seconds.
    const ended = Math.floor((performance.now() - since) / 5_000)
    expect(asked('listLivePositions') - before).toBeLessThanOrEqual(1 + ended)
    const shown = named('rider_locations_snapshot').length
    upstream.answers.delete('listLivePositions')
    resolve(replies.listLivePositions as object)
    await eventually(() => named('rider_locations_snapshot').length > shown + 1)
  })

  /** The answer to a handshake by polling, or to one by WebSocket that is refused. */
  function handshake(at: Running, from: string, upgrade: boolean): Promise<{ status?: number; retryAfter?: string }> {
    const path = `/realtime/?EIO=4&transport=${upgrade ? 'websocket' : 'polling'}`
    const upgrading = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const key = { 'sec-websocket-key': Buffer.alloc(16).toString('base64') }
    return new Promise((resolve, reject) => {
      const headers = { 'x-forwarded-for': from, ...(upgrade && { ...upgrading, ...key }) }
      const sent = request(at.url + path, { headers, agent: false }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] } as { status: number })
      })
      sent.on('upgrade', (_response, socket) => {
        socket.destroy()
        resolve({ status: 101 })
      })
      sent.once('error', reject).end()
    })
  }

  test('a network has its bound, by polling and by WebSocket, shown a token or not; what ends makes room', async () => {
    const bounded = await start({ realtimeMaxPerAddress: 2 })
    const first = await handshake(bounded, '2001:db8:5:5::1', false)
    expect(first.status).toBe(200)
    const { socket } = await listen({ tracking_token: trackingToken('e') }, bounded, '2001:db8:5:5::2')
    for (const upgrade of [false, true]) {
      const refused = await handshake(bounded, '2001:db8:5:5::3', upgrade)
      expect([upgrade, refused.status]).toEqual([upgrade, 429])
      expect(Number(refused.retryAfter)).toBeGreaterThan(0)
    }
    expect((await handshake(bounded, '2001:db8:5:6::1', true)).status).toBe(101)
    socket.disconnect()
    await eventually(async () => (await handshake(bounded, '2001:db8:5:5::3', true)).status === 101)
  })

  test('a gateway that is full answers 503, and serves requests as ever', async () => {
    const full = await start({ realtimeMaxSockets: 1 })
    await listen({ tracking_token: trackingToken('f') }, full)
    for (const upgrade of [false, true]) expect((await handshake(full, '203.0.113.9', upgrade)).status).toBe(503)
    expect((await fetch(`${full.url}/health`)).status).toBe(200)
  })

  test('a gateway that is about to stop takes no new one, and keeps those it has until it does', async () => {
    const leaving = await start({})
    const { socket } = await listen({ tracking_token: trackingToken('g') }, leaving)
    leaving.gateway.drain()
    for (const upgrade of [false, true]) expect((await handshake(leaving, '203.0.113.9', upgrade)).status).toBe(503)
    expect(socket.connected).toBe(true)
  })

  /** A connection that says what it is told to, before or after it is heard; what it hears, and whether it has ended. */
  function speak(at: Running, packets: readonly (string | Uint8Array)[], from = '203.0.113.21') {
    const line = { heard: [] as string[], ended: false, socket: undefined as unknown as WebSocket }
    line.socket = new WebSocket(`${at.url.replace('http', 'ws')}/realtime/?EIO=4&transport=websocket`, {
      headers: { 'x-forwarded-for': from },
    } as never)
    line.socket.addEventListener('message', ({ data }) => {
      line.heard.push(String(data))
      if (line.heard.length === 1) for (const packet of packets) line.socket.send(packet)
    })
    line.socket.addEventListener('close', () => (line.ended = true))
    return line
  }
  const connect = (auth: object) => `40${JSON.stringify(auth)}`

  test('a connection ends when it is refused, and when it asks twice: neither question joins or is kept', async () => {
    const bounded = await start({ realtimeMaxPerToken: 1 })
    const refused = speak(bounded, [connect({ merchant_access_token: 'nonsense' })])
    await eventually(() => refused.ended)
    expect(refused.heard.at(-1)).toContain('unauthorized')

    const token = trackingToken('g')
    const { promise, resolve } = Promise.withResolvers<object>()
    upstream.answers.set('trackOrder', () => promise)
    const twice = speak(bounded, [connect({ tracking_token: token }), connect({ tracking_token: trackingToken('h') })])
    await eventually(() => twice.ended)
    resolve(replies.trackOrder as object)
    upstream.answers.delete('trackOrder')
    expect(twice.heard.filter((packet) => packet.startsWith('4'))).toEqual([])
    await listen({ tracking_token: token }, bounded)
    await listen({ tracking_token: trackingToken('h') }, bounded)
  })

  test('a connection ends when it asks for another room of sockets again and again, or sends bytes', async () => {
    const bounded = await start({})
    for (const packets of [['40/a,', '40/b,'], [new Uint8Array(8)]]) {
      const line = speak(bounded, packets)
      await eventually(() => line.ended)
    }
  })

  test('a network whose access tokens were refused too often has none judged, and others are free', async () => {
    const bounded = await start({ rateSocketsRefusedPerMinute: 2 })
    const good = { merchant_access_token: await vault.login() }
    await listen(good, bounded, '2001:db8:7:7::1')
    for (const host of [2, 3])
      await expect(
        listen({ merchant_access_token: `a${host}.b.cccc` }, bounded, `2001:db8:7:7::${host}`),
      ).rejects.toThrow()
    await expect(listen(good, bounded, '2001:db8:7:7::4')).rejects.toThrow('rate_limited')
    await listen({ tracking_token: trackingToken('k') }, bounded, '2001:db8:7:7::4')
    await listen(good, bounded, '2001:db8:7:8::1')
  })

  test('what is counted and asked about is what was judged, whatever stands beside it and however it is spelt', async () => {
    const bounded = await start({ realtimeMaxPerToken: 2, realtimeRoundMs: 60 })
    const token = trackingToken('m')
    const beside = () => ({ merchant_access_token: `svc_${crypto.randomUUID()}`, tracking_token: ` ${token} ` })
    const joined = [await listen(beside(), bounded), await listen(beside(), bounded)]
    await expect(listen(beside(), bounded)).rejects.toThrow('rate_limited')
    const other = await listen({ ...beside(), tracking_token: trackingToken('n') }, bounded)
    upstream.answers.set('trackOrder', new ServiceError('tracking_expired'))
    await eventually(() => [...joined, other].every(({ socket }) => socket.disconnected))
    upstream.answers.delete('trackOrder')

    const access = await vault.login()
    for (const spelt of [access, `  ${access}`]) await listen({ merchant_access_token: spelt }, bounded)
    await expect(listen({ merchant_access_token: `${access} ` }, bounded)).rejects.toThrow('rate_limited')
    const key = { merchant_access_token: ` ${vault.key({ scopes: ['orders:read', 'riders:location'] })}` }
    await expect(listen(key, bounded)).rejects.toThrow('unauthorized')
    // The last character of a signature has bits that decoding drops.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const respelt = access.slice(0, -1) + alphabet[alphabet.indexOf(access.at(-1) as string) + 1]
    await expect(listen({ merchant_access_token: respelt }, bounded)).rejects.toThrow('unauthorized')
  })
})
