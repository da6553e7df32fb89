import type { Server as HttpServer } from 'node:http'
import { createAdapter } from '@socket.io/redis-adapter'
import { outcomeOf, ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { Server, type Socket } from 'socket.io'
import type { Edge } from '../http/mount.ts'
import { type Admission, createAdmit, type Shown, shownBy } from './admission.ts'
import { broadcaster } from './broadcast.ts'
import { boundConnections, hearOneConnect, refusedSockets } from './connections.ts'
import { emit } from './emit.ts'
import { visibleLocations } from './messages.ts'
import { REALTIME_PATH } from './path.ts'
import { PubSub } from './pub-sub.ts'
import { sessionRoom } from './rooms.ts'
import { subscription } from './subscription.ts'
import { SLICES, TokenGroups } from './token-groups.ts'

const logger = createLogger('realtime')
/** Nothing that clients send is read; this much is for the handshake. */
const MAX_CLIENT_BYTES = 16 * 1024

type Listener = Socket<
  Record<string, never>,
  Record<string, (body: unknown) => void>,
  Record<string, never>,
  { shown: Shown; admission: Admission }
>

export interface Sockets extends Part {
  /** Takes handshakes there while the gateway serves: one that is about to stop would soon end them again. */
  attach(server: HttpServer, serving: () => boolean): void
  /** Ends the connections of all sockets, so that the server can close: their clients look for another gateway by themselves. */
  close(): Promise<void>
}

/**
 * The realtime channel. Every replica hears from dispatch and serves its own sockets; the Redis adapter lets one replica
 * end a session's sockets on all. How many there are is bounded, and in a round each token is asked about once, in its
 * turn.
 */
export function createSockets(edge: Edge): Sockets {
  const { config, clients } = edge
  const options = { lazyConnect: true, maxRetriesPerRequest: null }
  const publishing = new PubSub(config.redisUrl, options).on('error', () => {})
  const subscribing = new PubSub(config.redisUrl, options).on('error', () => {})
  const io = new Server({
    path: REALTIME_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_CLIENT_BYTES,
    perMessageDeflate: false,
    cors: config.realtimeAllowedOrigins.length > 0 ? { origin: config.realtimeAllowedOrigins } : undefined,
    adapter: createAdapter(publishing, subscribing, { key: `${config.redisPrefix}socket.io` }),
  })
  const admit = createAdmit(edge)
  const broadcast = broadcaster(io)
  const heard = subscription(subscribing, config.redisPrefix, (event) => broadcast.tell(event))
  const endGauge = metrics.gauge('realtime_sockets', 'Sockets that are open', () => io.sockets.sockets.size)
  const groups = new TokenGroups<Listener>(config.realtimeMaxPerToken)
  /** Tokens that are asked about now: one that is answered slowly is not asked about twice. */
  const asking = new Set<string>()
  let round: NodeJS.Timeout | undefined
  let isShowing = false

  io.use((socket: Listener, next) => {
    const { conn } = socket
    // It has ended since: nothing would tell that again.
    if (conn.readyState !== 'open') return
    const refuse = (reason: 'unauthorized' | 'rate_limited') => {
      next(new Error(reason))
      // Not before the refusal is written.
      setImmediate(() => conn.close())
    }
    const shown = shownBy(socket)
    if (!shown) {
      refuse('unauthorized')
      return
    }
    if (!groups.add(shown.group, socket)) {
      refusedSockets.add(1, { full: 'token' })
      refuse('rate_limited')
      return
    }
    const leave = () => {
      groups.delete(shown.group, socket)
      conn.removeListener('close', leave)
    }
    socket.once('disconnect', leave)
    conn.once('close', leave)
    socket.data.shown = shown
    admit(shown, socket.request, true).then(
      (admission) => {
        socket.data.admission = admission
        next()
      },
      // Whatever the reason, but that it may come again: a bad token learns nothing else.
      (error: { code?: string }) => {
        leave()
        refuse(error.code === 'rate_limited' ? 'rate_limited' : 'unauthorized')
      },
    )
  })
  io.on('connection', async (socket: Listener) => {
    const { rooms, tracked } = socket.data.admission
    await socket.join([...rooms])
    if (tracked) emit(socket, 'tracking_status', tracked)
    else await snapshot([socket])
  })

  /** Shows sockets where the riders of their merchants are; each merchant is asked for once. */
  async function snapshot(sockets: Iterable<Listener>): Promise<void> {
    const listening = [...sockets].flatMap((socket) => {
      const { merchant } = socket.data.admission
      return merchant ? [{ socket, ...merchant }] : []
    })
    for (const [merchantId, ofMerchant] of Map.groupBy(listening, (one) => one.merchantId)) {
      try {
        const { riders } = await clients.position
          .as(systemCaller('gateway'), { deadlineMs: 5_000 })
          .listLivePositions({ merchant_id: merchantId })
        const at = new Date().toISOString()
        for (const { socket, isTest } of ofMerchant) {
          const visible = visibleLocations(riders, merchantId, isTest)
          emit(socket, 'rider_locations_snapshot', { merchant_id: merchantId, at, riders: visible })
        }
      } catch (err) {
        logger.warn({ err, merchant_id: merchantId }, 'sockets go without their snapshot')
      }
    }
  }

  /** Shows them all; while that is answered slowly it is not begun again. */
  async function snapshotAll(): Promise<void> {
    if (isShowing) return
    isShowing = true
    await snapshot(io.sockets.sockets.values() as Iterable<Listener>).finally(() => (isShowing = false))
  }

  /**
   * A token that was revoked or lost its scope ends its sockets, and its session's on every replica. One that has expired ends
   * its own alone: a session that is refreshed has another. What keeps a token from being judged ends nothing.
   */
  async function askAgain(token: string, group: Iterable<Listener>): Promise<void> {
    const [socket] = [...group].filter(({ data }) => data.admission !== undefined)
    if (!socket || asking.has(token)) return
    asking.add(token)
    try {
      await admit(socket.data.shown, socket.request, false)
    } catch (error) {
      if (!(error instanceof ServiceError) || outcomeOf(error.code) !== 'client') return
      const session = socket.data.admission.merchant?.sessionId
      if (session && error.details?.['reason'] !== 'expired') io.in(sessionRoom(session)).disconnectSockets(true)
      for (const one of group) one.disconnect(true)
    } finally {
      asking.delete(token)
    }
  }

  return {
    name: 'realtime',
    attach(server, serving) {
      io.attach(server)
      const { realtimeMaxPerAddress: maxPerAddress, realtimeMaxSockets: maxSockets } = config
      const room = () => (serving() ? maxSockets : 0)
      boundConnections(io.engine, { addressOf: edge.addressOf, maxPerAddress, room })
      hearOneConnect(io.engine)
    },
    async start() {
      await Promise.all([publishing, subscribing].map((redis) => redis.connect().catch(() => {})))
      await heard.start?.()
      let turn = 0
      round = setInterval(() => {
        for (const [token, group] of groups.slice(turn)) void askAgain(token, group)
        turn = (turn + 1) % SLICES
        if (turn === 0) void snapshotAll()
      }, config.realtimeRoundMs / SLICES)
    },
    async close() {
      // No word that they shall leave: after that a client stays away.
      io.engine?.close()
    },
    async stop() {
      clearInterval(round)
      broadcast.stop()
      endGauge()
      for (const redis of [publishing, subscribing]) redis.disconnect()
    },
  }
}
