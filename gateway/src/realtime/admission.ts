import type { IncomingMessage } from 'node:http'
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
export type Admit = (shown: Shown, request: IncomingMessage, isFirst: boolean) => Promise<Admission>

/** The one token of a handshake that is judged, as which kind, and the group in which its sockets are counted and asked about. */
export interface Shown {
  kind: 'merchant' | 'tracking'
  token: string
  group: string
}

/** What a handshake shows: a merchant's access token, which an API key is not, or a tracking token. */
export function shownBy({ handshake }: Pick<Socket, 'handshake'>): Shown | undefined {
  const { merchant_access_token, tracking_token } = handshake.auth as Record<string, unknown>
  const access = textOf(merchant_access_token)
  if (access && !access.startsWith('svc_')) {
    return isSpeltOnce(access) ? { kind: 'merchant', token: access, group: `merchant ${access}` } : undefined
  }
  const token = textOf(tracking_token)
  return token ? { kind: 'tracking', token, group: `tracking ${token}` } : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Whether the signature is spelt in its only canonical way: another spelling of the same bytes would be another group. */
function isSpeltOnce(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/**
 * Judges sockets by what judges requests: signature, session, epoch, scopes, limits. Only the first look at a handshake
 * counts against the limits.
 */
export function createAdmit(edge: Edge): Admit {
  return ({ kind, token }, request, isFirst) => {
    const admit = kind === 'merchant' ? admitMerchant : admitTracker
    return admit(edge, token, edge.addressOf(request), isFirst)
  }
}

async function admitMerchant(edge: Edge, token: string, address: string, isFirst: boolean): Promise<Admission> {
  const refusals = refusedSocketTokens(edge.config, address)
  if (isFirst && !(await edge.limiter.look(refusals)).admitted) throw new ServiceError('rate_limited')
  const principal = await authenticated(edge, token, address).catch(async (error: unknown) => {
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

const authenticated = async (edge: Edge, token: string, address: string) =>
  edge.authenticate({ auth: READERS, headers: { authorization: `Bearer ${token}` }, address, params: {} })

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
