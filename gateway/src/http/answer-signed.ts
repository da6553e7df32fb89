import type { ServerResponse } from 'node:http'
import { type ErrorCode, ServiceError } from '@svc/errors'
import type { Request } from 'express'
import { servicesFor } from '../services.ts'
import { PLATFORM, refusedHooks, signedHooks } from './limits.ts'
import type { Edge, PreparedRoute } from './mount.ts'
import { ANYONE } from './public-principal.ts'
import { MAX_BODY_BYTES, readRaw } from './read-body.ts'
import { readParams } from './read-params.ts'
import { endsAtMs, type Reply } from './route.ts'
import { tooMany } from './too-many.ts'

/** What a network is told that too much was refused of. */
const TURNED_AWAY: ReadonlySet<ErrorCode> = new Set(['invalid_signature', 'payload_too_large'])

/** As much as a network may send at a time once too many of its signatures were refused. */
const SUSPECT_BODY_BYTES = 64 * 1024

/**
 * Answers what a third party signed. Hooks are counted by their signer once the signature is found right, so that nobody
 * uses up the room of another; refusals by the network they come from. A network with too many of them is heard one post
 * at a time, for the third party may share it: its refusals are 429, and what is signed right passes.
 */
export async function answerSigned(
  { route, params: schema }: PreparedRoute,
  edge: Edge,
  request: Request,
  response: ServerResponse,
  requestId: string,
): Promise<Reply> {
  const deadline = endsAtMs(route)
  const ip = edge.addressOf(request)
  const refusals = refusedHooks(edge.config, ip)
  const usage = await edge.limiter.look(refusals)
  const suspect = usage.admitted ? undefined : usage.limit
  try {
    const params = readParams(schema, request.params, route.auth)
    const raw = await readRaw(request, suspect ? SUSPECT_BODY_BYTES : MAX_BODY_BYTES)
    const judge = (): Promise<Reply> => {
      if (Date.now() > deadline) throw tooMany(usage)
      const caller = { ...ANYONE, requestId, ip }
      const services = servicesFor(edge.clients, caller, deadline)
      return countSigner(edge, params['merchantId'] as string | undefined, (exhausted_signers) => {
        const signed = { ...raw, exhausted_signers }
        const input = { params, query: {}, headers: {}, body: undefined, caller, idempotency: undefined, raw: signed }
        return route.handle({ ...input, config: edge.config }, services)
      })
    }
    if (!suspect) return await judge()
    const turn = edge.suspects.take(suspect.key, judge)
    if (!turn) throw tooMany(usage)
    return await turn
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined
    if (code === 'invalid_signature') await edge.limiter.record(refusals)
    if (!suspect || !code || !TURNED_AWAY.has(code)) throw error
    // What is left of a body that was too long is not read.
    if (code === 'payload_too_large') response.setHeader('Connection', 'close')
    throw tooMany(usage)
  }
}

/** Lets a hook be judged, and counts it if it is taken. By the address of a merchant the platform's hooks may come too. */
async function countSigner(
  { config, limiter }: Edge,
  merchantId: string | undefined,
  judge: (exhaustedSigners: string[]) => Promise<Reply>,
): Promise<Reply> {
  const signers = merchantId === undefined ? [PLATFORM] : [PLATFORM, merchantId]
  const rooms = await Promise.all(signers.map((signer) => limiter.look(signedHooks(config, signer))))
  const reply = await judge(signers.filter((_, i) => !rooms[i]?.admitted)).catch((error: unknown) => {
    const full = rooms.find(({ admitted }) => !admitted)
    const isFull = full && error instanceof ServiceError && error.code === 'rate_limited'
    throw isFull ? tooMany(full) : error
  })
  const { signer } = reply.body as { signer: string }
  await limiter.record(signedHooks(config, signer || PLATFORM))
  return reply
}
