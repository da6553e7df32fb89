import { ServiceError } from '@svc/errors'
import { isUuid, MAX_SHOP_CLAIMS, shopClaim } from '@svc/inputs'
import type { Context } from '../context.ts'
import type { RememberedClaims, ShopClaim } from '../db/shop-claims.ts'
import type { Channel, Secret, Signed } from './channel.ts'
import type { Refusal } from './refusals.ts'

/** Where a hook came. */
export interface Addressed {
  channel: string
  /** Absent on the platform's own address. */
  merchantId?: string
}

/** Whose hook it is. */
export interface Proven {
  /** `platform`, or the merchant whose own secret made the signature. */
  signer: string
  /** Of the address, or whose shop its headers name. */
  merchantId: string | undefined
  /** Under which name the gateway counts what is taken: that by which it knows the sender before the judgement. */
  counted: string
}

/** What is asked to find whose hook it is. */
type Judge = Pick<Context, 'channels' | 'refusals' | 'shopClaims' | 'verifyingSecrets'>

const UNCONFIGURED_RETRY_SECONDS = 300

/** A hook that is believed. */
export interface Verified {
  channel: Channel
  signers: readonly [Proven, ...Proven[]]
  /** Where it is by claims of a shop that are remembered: only while these are the claims. */
  by: RememberedClaims | null
}

/**
 * The channel of a hook and the owner of the secret that made its signature; several where merchants of one shop share
 * their secret too. What cannot be verified throws the same invalid_signature after the same work, so that a sender learns
 * neither which merchants there are nor what they have set. Claims of shops that are remembered are believed unless it is
 * to be verified afresh.
 */
export async function verifiedSigners(
  ctx: Judge,
  hook: Addressed & Signed,
  { afresh }: { afresh: boolean } = { afresh: false },
): Promise<Verified> {
  const channel = ctx.channels.get(hook.channel)
  if (!channel) return refuse(ctx, 'unknown', 'unknown_channel')
  if (channel.shopDomainOf) return { channel, ...(await claimantsOf(ctx, channel, hook, afresh)) }
  const { merchantId } = hook
  const isOfPlatform = merchantId === undefined
  if (isOfPlatform && channel.platformSecrets.length === 0)
    throw new ServiceError('service_unavailable', { retryAfterSeconds: UNCONFIGURED_RETRY_SECONDS })

  const ofMerchant = await merchantSecrets(ctx, channel, merchantId)
  const secrets = [...slots('platform', channel.platformSecrets), ...slots('merchant', ofMerchant ?? [])]
  const secret = channel.verify(hook, secrets)
  if (!isOfPlatform && ofMerchant === null) return refuse(ctx, channel.name, 'unknown_merchant')
  if (secret === null) return refuse(ctx, channel.name, 'bad_signature')
  const signer = secret.signer === 'merchant' ? merchantId! : 'platform'
  return { channel, signers: [{ signer, merchantId, counted: signer }], by: null }
}

/**
 * Of the merchants that say a shop is theirs, those whose secret made the signature. A refusal comes after as many tries as
 * there may be secrets; a right signature, which nobody else could make, after as many as there are.
 */
async function claimantsOf(
  ctx: Judge,
  channel: Channel,
  hook: Signed,
  afresh: boolean,
): Promise<Pick<Verified, 'signers' | 'by'>> {
  const shop = { channel: channel.name, shopDomain: channel.shopDomainOf?.(hook) ?? '' }
  let tried = 0
  const isMadeBy = (secrets: readonly string[]): boolean => {
    tried += 1
    return channel.verify(hook, slots('merchant', secrets)) !== null
  }
  const signersAmong = (claims: readonly ShopClaim[]): Proven[] =>
    claims
      .filter(({ secrets }) => isMadeBy(secrets))
      .map(({ merchantId, number }) => ({
        signer: merchantId,
        merchantId,
        counted: shopClaim(shop.shopDomain, number),
      }))

  const known = afresh ? undefined : ctx.shopClaims.remembered(shop)
  const [remembered, ...others] = signersAmong(known?.claims ?? [])
  if (known && remembered) return { signers: [remembered, ...others], by: { ...shop, stamp: known.stamp } }
  const found = await ctx.shopClaims.read(shop)
  // What has been tried is not tried again: whether a shop is remembered here is nothing that a refusal tells.
  const [first, ...more] = found.stamp === known?.stamp ? [] : signersAmong(found.claims)
  if (first) return { signers: [first, ...more], by: null }
  while (tried < MAX_SHOP_CLAIMS) isMadeBy([])
  return refuse(ctx, channel.name, found.claims.length === 0 ? 'unknown_merchant' : 'bad_signature')
}

async function merchantSecrets(
  ctx: Judge,
  { name: channel }: Channel,
  merchantId: string | undefined,
): Promise<string[] | null> {
  if (merchantId === undefined || !isUuid(merchantId)) return null
  return ctx.verifyingSecrets({ merchantId, channel })
}

/** The current and the previous one, whether there are any or not. */
const slots = (signer: Secret['signer'], [current, previous]: readonly string[]): Secret[] =>
  [current, previous].map((text) => ({ signer, text: text ?? null }))

function refuse(ctx: Pick<Judge, 'refusals'>, channel: string, reason: Refusal): never {
  ctx.refusals.count(channel, reason)
  throw new ServiceError('invalid_signature')
}
