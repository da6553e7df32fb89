import type { ServerResponse } from 'node:http'
import { type ErrorCode, ServiceError } from '@svc/errors'
import { MAX_SHOP_CLAIMS, shopClaim, shopDomain } from '@svc/inputs'
import type { Request } from 'express'
import { servicesFor } from '../services.ts'
import type { Answered } from './access-log.ts'
import { type Limit, PLATFORM, refusedHooks, signedHooks } from './limits.ts'
import type { Edge, PreparedRoute } from './mount.ts'
import { ANYONE } from './public-principal.ts'
import type { Usage } from './rate-limit.ts'
import { MAX_BODY_BYTES, type RawRequest, readRaw } from './read-body.ts'
import { readParams } from './read-params.ts'
import { NO_FILE } from './read-upload.ts'
import { type Auth, endsAtMs, type Reply } from './route.ts'
import { notJudged, tooMany } from './too-many.ts'

/** As much as a network may send at a time once too many of its signatures were refused. */
const SUSPECT_BODY_BYTES = 64 * 1024

/**
 * Answers what a third party signed. Hooks are counted by their signer once the signature is found right, so that nobody
 * uses up the room of another; refusals by the network they come from, of which as many are judged at a time as may yet be
 * refused. A network with too many refusals is heard one post at a time, for the third party may share it: its refusals are
 * 429, what is signed right passes in its turn, and what gets no turn is 503.
 */
export async function answerSigned(
  { route, params: schema }: PreparedRoute,
  edge: Edge,
  { request, response, requestId }: Answered,
): Promise<Reply> {
  const deadline = endsAtMs(route)
  const ip = edge.addressOf(request)
  const refusals = refusedHooks(edge.config, ip)
  const raw = await readPost(edge, request, response, refusals)
  const judge = async (): Promise<Reply> => {
    if (Date.now() > deadline) throw notJudged()
    const caller = { ...ANYONE, requestId, ip }
    const services = servicesFor(edge.clients, caller, deadline)
    try {
      const params = readParams(schema, request.params, route.auth)
      const named = isByShop(route.auth) ? shopsIn(raw) : [params['merchantId'] as string | undefined]
      return await countSigner(edge, { named, isByShop: isByShop(route.auth) }, refusals, (exhausted_signers) => {
        const signed = { ...raw, exhausted_signers }
        const input = {
          params,
          query: {},
          headers: {},
          body: undefined,
          caller,
          idempotency: undefined,
          raw: signed,
          file: NO_FILE,
        }
        return route.handle({ ...input, config: edge.config }, services)
      })
    } catch (error) {
      if (hasCode(error, 'invalid_signature')) await edge.limiter.record(refusals)
      throw error
    }
  }
  // Only now: while the body came others of its network may have been refused, or be judged.
  const entered = await edge.judgements.wait(refusals, deadline)
  if (!entered) throw notJudged()
  return typeof entered === 'function' ? judge().finally(entered) : judgeSuspect(edge, entered.usage, ip, raw, judge)
}

/** Judges a post of a network of which too much was refused, in its turn. */
async function judgeSuspect(
  edge: Edge,
  usage: Usage,
  ip: string,
  { body }: RawRequest,
  judge: () => Promise<Reply>,
): Promise<Reply> {
  if (body.length > SUSPECT_BODY_BYTES) throw tooMany(usage)
  const reply = await edge.suspects.take(usage.limit?.key ?? ip, ip, judge).catch((error: unknown) => {
    throw hasCode(error, 'invalid_signature') ? tooMany(usage) : error
  })
  if (!reply) throw notJudged()
  return reply
}

/** What was posted; of a network of which too much was refused only so much is read. */
async function readPost(
  { limiter }: Edge,
  request: Request,
  response: ServerResponse,
  refusals: readonly Limit[],
): Promise<RawRequest> {
  const usage = await limiter.look(refusals)
  return readRaw(request, usage.admitted ? MAX_BODY_BYTES : SUSPECT_BODY_BYTES).catch((error: unknown) => {
    if (usage.admitted || !hasCode(error, 'payload_too_large')) throw error
    // What is left of the body is not read.
    response.setHeader('Connection', 'close')
    throw tooMany(usage)
  })
}

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof ServiceError && error.code === code

const isByShop = (auth: Auth): boolean => auth.kind === 'signed' && auth.byShop === true

/** Every shop that a header names; which of the headers counts, the service knows. */
const shopsIn = ({ headers }: RawRequest): string[] => [
  ...new Set(headers.flatMap(({ name, value }) => (name.endsWith('-shop-domain') ? (shopDomain(value) ?? []) : []))),
]

interface Named {
  named: ReadonlyArray<string | undefined>
  isByShop: boolean
}

/**
 * Lets a hook be judged, and counts it if it is taken. By the address of a merchant the platform's hooks may come too. What
 * nobody signed counts as refused.
 */
async function countSigner(
  edge: Edge,
  named: Named,
  refusals: readonly Limit[],
  judge: (exhaustedSigners: string[]) => Promise<Reply>,
): Promise<Reply> {
  const full = await exhausted(edge, named)
  const reply = await judge([...full.keys()]).catch((error: unknown) => {
    const [usage] = full.values()
    const isFull = usage && error instanceof ServiceError && error.code === 'rate_limited'
    throw isFull ? tooMany(usage) : error
  })
  const { signer } = reply.body as { signer: string }
  await edge.limiter.record(
    signer === '' ? refusals : countedAs(signer).flatMap((name) => signedHooks(edge.config, name)),
  )
  return reply
}

/** A hook of a shop counts for the shop, and for who has proven that it is his: others may say so of the same shop. */
const countedAs = (signer: string): string[] => [...new Set([signer.replace(/#\d+$/, ''), signer])]

/**
 * Who of those that may have signed has sent enough for now. Of a shop nobody has while all of its hooks together are not
 * too many; only then each of those that say it is theirs is looked at.
 */
async function exhausted({ config, limiter }: Edge, { named, isByShop }: Named): Promise<Map<string, Usage>> {
  const fullOf = async (signers: readonly string[]) => {
    const usages = await Promise.all(signers.map((signer) => limiter.look(signedHooks(config, signer))))
    return signers.flatMap((signer, i): Array<[string, Usage]> => {
      const usage = usages[i]
      return usage && !usage.admitted ? [[signer, usage]] : []
    })
  }
  const full = await fullOf([PLATFORM, ...named.filter((signer) => signer !== undefined)])
  if (!isByShop) return new Map(full)
  const claims = full.filter(([shop]) => shop !== PLATFORM).flatMap(([shop]) => claimsOf(shop))
  return new Map(await fullOf(claims))
}

const claimsOf = (shop: string): string[] => Array.from({ length: MAX_SHOP_CLAIMS }, (_, i) => shopClaim(shop, i + 1))
