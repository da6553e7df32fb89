import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Context } from '../context.ts'
import { merchantByShopDomain, verifyingSecrets } from '../db/channel-settings.ts'
import type { Channel, Secret, Signed } from './channel.ts'
import type { Refusal } from './refusals.ts'

/** Where a hook came. */
export interface Addressed {
  channel: string
  /** Absent on the platform's own address. */
  merchantId?: string
}

/** Whose hook it is. */
interface Verified {
  channel: Channel
  /** `platform`, or the merchant whose own secret made the signature. */
  signer: string
  /** Of the address, or whose shop its headers name. */
  merchantId: string | undefined
  /** Under which name the gateway counts what is taken: that by which it knows the sender before the judgement. */
  counted: string
}

const UNCONFIGURED_RETRY_SECONDS = 300

/**
 * The channel of a hook and the owner of the secret that made its signature. What cannot be verified throws the same
 * invalid_signature after the same work, so that a sender learns neither which merchants there are nor what they have set.
 */
export async function verifiedSigner(ctx: Context, hook: Addressed & Signed): Promise<Verified> {
  const channel = ctx.channels.get(hook.channel)
  if (!channel) return refuse(ctx, 'unknown', 'unknown_channel')
  const isOfPlatform = hook.merchantId === undefined && !channel.shopDomainOf
  if (isOfPlatform && channel.platformSecrets.length === 0)
    throw new ServiceError('service_unavailable', { retryAfterSeconds: UNCONFIGURED_RETRY_SECONDS })

  const shopDomain = channel.shopDomainOf?.(hook) ?? null
  const merchantId = channel.shopDomainOf ? await merchantOfShop(ctx, channel, shopDomain) : hook.merchantId
  const ofMerchant = await merchantSecrets(ctx, channel, merchantId)
  const secrets = [...slots('platform', channel.platformSecrets), ...slots('merchant', ofMerchant ?? [])]
  const secret = channel.verify(hook, secrets)
  if (!isOfPlatform && ofMerchant === null) return refuse(ctx, channel.name, 'unknown_merchant')
  if (secret === null) return refuse(ctx, channel.name, 'bad_signature')
  const signer = secret.signer === 'merchant' ? merchantId! : 'platform'
  return { channel, signer, merchantId, counted: shopDomain ?? signer }
}

async function merchantOfShop(
  { database }: Context,
  { name: channel }: Channel,
  shopDomain: string | null,
): Promise<string | undefined> {
  return (await merchantByShopDomain(database.worker, { channel, shopDomain: shopDomain ?? '' })) ?? undefined
}

async function merchantSecrets(
  { database, secretBox }: Context,
  { name: channel }: Channel,
  merchantId: string | undefined,
): Promise<string[] | null> {
  if (merchantId === undefined || !isUuid(merchantId)) return null
  return verifyingSecrets(database.worker, secretBox, { merchantId, channel })
}

/** The current and the previous one, whether there are any or not. */
const slots = (signer: Secret['signer'], [current, previous]: readonly string[]): Secret[] =>
  [current, previous].map((text) => ({ signer, text: text ?? null }))

function refuse(ctx: Context, channel: string, reason: Refusal): never {
  ctx.refusals.count(channel, reason)
  throw new ServiceError('invalid_signature')
}
