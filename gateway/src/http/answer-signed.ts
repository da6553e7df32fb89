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
import { NO_FILE } from './read-upload.ts'
import { type Auth, endsAtMs, type Reply } from './route.ts'
import { notJudged, tooMany } from './too-many.ts'

/** As much as a network may send at a time once too many of its signatures were refused. */
const SUSPECT_BODY_BYTES = 64 * 1024
/** The storefront names one; each is a limit that is asked about before anybody has signed anything. */
const MAX_SHOPS = 4

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
  const params = schema.safeParse(request.params)
  const byShop = isByShop(route.auth)
  const shops = byShop ? shopsIn(raw) : []
  const isNobody = !params.success || shops.length > MAX_SHOPS
  const named = isNobody ? [] : byShop ? shops : merchantsIn(params.data)
  // By the address of a merchant the platform's hooks may come too, for a shop they may not.
  const signers = byShop ? named : [PLATFORM, ...named]
  let rooms: readonly Usage[] = []
  const judge = async (): Promise<Reply> => {
    if (Date.now() > deadline) throw notJudged()
    const caller = { ...ANYONE, requestId, ip }
    const services = servicesFor(edge.clients, caller, deadline)
    try {
      // The id of no merchant: whoever signs does not learn which ids there are.
      if (isNobody) throw new ServiceError('invalid_signature')
      const full = fullOf(signers, rooms)
      const exhausted = byShop ? await exhaustedClaims(edge, full) : full
      const signed = { ...raw, exhausted_signers: [...exhausted.keys()] }
      const input = {
        params: params.data,
        query: {},
        headers: {},
        body: undefined,
        caller,
        idempotency: undefined,
        raw: signed,
        file: NO_FILE,
      }
      return await countSigner(edge, refusals, exhausted, () =>
        route.handle({ ...input, config: edge.config }, services),
      )
    } catch (error) {
      if (hasCode(error, 'invalid_signature')) await edge.limiter.record(refusals)
      throw error
    }
  }
  const asked = [...refusals, ...signers.flatMap((signer) => signedHooks(edge.config, signer))]
  const look = async (): Promise<readonly Usage[]> => {
    const usages = await edge.limiter.lookEach(asked)
    rooms = usages.slice(refusals.length)
    return usages.slice(0, refusals.length)
  }
  // Only now: while the body came others of its network may have been refused, or be judged. Who may have signed is looked
  // at in the same breath, and again after each wait.
  const entered = await edge.judgements.wait(refusals, deadline, look)
  if (!entered) throw notJudged()
  if (typeof entered === 'function') return judge().finally(entered)
  return judgeSuspect(edge, entered.usage, ip, raw, () => look().then(judge))
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

/**
 * What was posted; of a network of which too much was refused only so much is read. What says that it is no longer than that
 * is read whoever sends it.
 */
async function readPost(
  { limiter }: Edge,
  request: Request,
  response: ServerResponse,
  refusals: readonly Limit[],
): Promise<RawRequest> {
  const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (declared <= SUSPECT_BODY_BYTES) return readRaw(request, SUSPECT_BODY_BYTES)
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

const merchantsIn = (params: Readonly<Record<string, unknown>> | undefined): string[] =>
  params?.['merchantId'] === undefined ? [] : [params['merchantId'] as string]

/** Every shop that a header names; which of the headers counts, the service knows. */
const shopsIn = ({ headers }: RawRequest): string[] => [
  ...new Set(headers.flatMap(({ name, value }) => (name.endsWith('-shop-domain') ? (shopDomain(value) ?? []) : []))),
]

/** Counts a hook that is judged, if it is taken. What nobody signed counts as refused. */
async function countSigner(
  edge: Edge,
  refusals: readonly Limit[],
  exhausted: ReadonlyMap<string, Usage>,
  judge: () => Promise<Reply>,
): Promise<Reply> {
  const reply = await judge().catch((error: unknown) => {
    const [usage] = exhausted.values()
    const isFull = usage && error instanceof ServiceError && error.code === 'rate_limited'
    throw isFull ? tooMany(usage) : error
  })
  const { signer } = reply.body as { signer: string }
  if (signer === '') await edge.limiter.record(refusals)
  // Not awaited: what comes next by this process is judged behind it, and its sender waits for no more than the judgement.
  else void edge.limiter.record(countedAs(signer).flatMap((name) => signedHooks(edge.config, name)))
  return reply
}

/** A hook of a shop counts for the shop, and for who has proven that it is his: others may say so of the same shop. */
const countedAs = (signer: string): string[] => [...new Set([signer.replace(/#\d+$/, ''), signer])]

/** Those of the signers that have sent enough for now. */
const fullOf = (signers: readonly string[], usages: readonly Usage[]): Map<string, Usage> =>
  new Map(
    signers.flatMap((signer, i): Array<[string, Usage]> => {
      const usage = usages[i]
      return usage && !usage.admitted ? [[signer, usage]] : []
    }),
  )

/**
 * Of a shop nobody has sent enough while all of its hooks together are not too many; only then each of those that say it is
 * theirs is looked at.
 */
async function exhaustedClaims(
  { config, limiter }: Edge,
  full: ReadonlyMap<string, Usage>,
): Promise<ReadonlyMap<string, Usage>> {
  const claims = [...full.keys()].flatMap(claimsOf)
  if (claims.length === 0) return new Map()
  return fullOf(claims, await limiter.lookEach(claims.flatMap((claim) => signedHooks(config, claim))))
}

const claimsOf = (shop: string): string[] => Array.from({ length: MAX_SHOP_CLAIMS }, (_, i) => shopClaim(shop, i + 1))
