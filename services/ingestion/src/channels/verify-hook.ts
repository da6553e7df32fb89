import { ServiceError } from '@svc/errors'
import { isUuid, MAX_SHOP_CLAIMS, shopClaim } from '@svc/inputs'
import type { Context } from '../context.ts'
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

/**
 * The channel of a hook and the owner of the secret that made its signature; several where merchants of one shop share
 * their secret too. What cannot be verified throws the same invalid_signature after the same work, so that a sender learns
 * neither which merchants there are nor what they have set.
 */
export async function verifiedSigners(
  ctx: Judge,
  hook: Addressed & Signed,
): Promise<{ channel: Channel; signers: [Proven, ...Proven[]] }> {
  const channel = ctx.channels.get(hook.channel)
  if (!channel) return refuse(ctx, 'unknown', 'unknown_channel')
  if (channel.shopDomainOf) return { channel, signers: await claimantsOf(ctx, channel, hook) }
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
  return { channel, signers: [{ signer, merchantId, counted: signer }] }
}

/**
 * Of the merchants that say a shop is theirs, those whose secret made the signature. A refusal comes after as many tries as
 * there may be secrets; a right signature, which nobody else could make, after as many as there are.
 */
async function claimantsOf(ctx: Judge, channel: Channel, hook: Signed): Promise<[Proven, ...Proven[]]> {
  const shopDomain = channel.shopDomainOf?.(hook) ?? ''
  const claims = await ctx.shopClaims({ channel: channel.name, shopDomain })
  const isMadeBy = (secrets: readonly string[]) => channel.verify(hook, slots('merchant', secrets)) !== null
  const [first, ...more] = claims
    .filter(({ secrets }) => isMadeBy(secrets))
    .map(({ merchantId, number }) => ({ signer: merchantId, merchantId, counted: shopClaim(shopDomain, number) }))
  if (first) return [first, ...more]
  for (let tried = claims.length; tried < MAX_SHOP_CLAIMS; tried++) isMadeBy([])
  return refuse(ctx, channel.name, claims.length === 0 ? 'unknown_merchant' : 'bad_signature')
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
