import { ServiceError } from '@svc/errors'
import type { Socket } from 'socket.io'
import { publicLimits, refusedSocketTokens, TRACKING } from '../http/limits.ts'
import type { Edge } from '../http/mount.ts'
import type { Identity } from '../http/principal.ts'
import { merchant, publicly } from '../http/route.ts'
import { servicesFor } from '../services.ts'
import { merchantRoom, orderRoom, sessionRoom } from './rooms.ts'

const DEADLINE_MS = 5_000
const READERS = merchant('orders:read', 'riders:location')
const TRACKERS = publicly(...TRACKING)

/** A socket that may listen: where, and how to ask later whether it still may. */
export interface Admission {
  rooms: readonly string[]
  /** The socket gets the snapshots of this merchant, of this side of the wall. */
  merchant?: { merchantId: string; isTest: boolean | null; sessionId: string | undefined }
  /** The order that it tracks, as it stands. */
  tracked?: { status: string; updated_at: string | undefined }
}

/** Throws where a handshake shows neither a merchant's access token nor a tracking token that is good now. */
export type Admit = (socket: Pick<Socket, 'handshake' | 'request'>, isFirst: boolean) => Promise<Admission>

/** What a handshake shows: a merchant's access token, or a tracking token. */
export function tokenOf({ handshake }: Pick<Socket, 'handshake'>): string | undefined {
  const { merchant_access_token: token, tracking_token: tracking } = handshake.auth as Record<string, unknown>
  return [token, tracking].find((one) => typeof one === 'string')
}

/**
 * Judges sockets by what judges requests: signature, session, epoch, scopes, limits. Only the first look at a handshake
 * counts against the limits.
 */
export function createAdmit(edge: Edge): Admit {
  return async ({ handshake, request }, isFirst) => {
    const { merchant_access_token: token, tracking_token: tracking } = handshake.auth as Record<string, unknown>
    const client = edge.addressOf(request)
    if (typeof token === 'string' && !token.startsWith('svc_')) return admitMerchant(edge, token, client, isFirst)
    if (typeof tracking === 'string') return admitTracker(edge, tracking, client, isFirst)
    throw new ServiceError('unauthorized')
  }
}

async function admitMerchant(edge: Edge, token: string, address: string, isFirst: boolean): Promise<Admission> {
  const refusals = refusedSocketTokens(edge.config, address)
  if (isFirst && !(await edge.limiter.look(refusals)).admitted) throw new ServiceError('rate_limited')
  const headers = { authorization: `Bearer ${token}` }
  const attempt = { auth: READERS, headers, address, params: {} }
  const principal = await Promise.resolve(edge.authenticate(attempt)).catch(async (error: unknown) => {
    if (isFirst && error instanceof ServiceError && error.code === 'unauthorized') await edge.limiter.record(refusals)
    throw error
  })
  const usage = await edge.limiter.count(isFirst ? principal.limits : [], principal.credentials)
  if (!usage.admitted) throw new ServiceError('rate_limited')
  const { merchantId, isTest, scopes, sessionId }: Identity = await principal.confirm(usage.epochs)
  if (!merchantId || !READERS.scopes.some((scope) => scopes.includes(scope))) throw new ServiceError('forbidden')
  const room = merchantRoom(merchantId, isTest)
  return {
    rooms: sessionId ? [room, sessionRoom(sessionId)] : [room],
    merchant: { merchantId, isTest, sessionId },
  }
}

async function admitTracker(edge: Edge, token: string, address: string, isFirst: boolean): Promise<Admission> {
  const principal = await edge.authenticate({ auth: TRACKERS, headers: {}, address, params: { token } })
  if (isFirst) {
    const usage = await edge.limiter.count(publicLimits(TRACKING, edge.config, address, { token }), [])
    if (!usage.admitted) throw new ServiceError('rate_limited')
  }
  const identity = await principal.confirm(undefined)
  const caller = { ...identity, requestId: crypto.randomUUID(), ip: address }
  const services = servicesFor(edge.clients, caller, Date.now() + DEADLINE_MS)
  const { order_id, status, updated_at } = await services.order.trackOrder({ token })
  return { rooms: [orderRoom(order_id)], tracked: { status, updated_at } }
}
