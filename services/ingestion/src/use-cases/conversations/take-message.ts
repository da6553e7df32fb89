import type { Tx } from '@svc/transact'
import { type InboundMessage, markerIn, phoneDigits, readMessage } from '../../channels/messaging-a/message.ts'
import { readKept } from '../../channels/read-kept.ts'
import type { Context } from '../../context.ts'
import { findChannelSettings } from '../../db/channel-settings.ts'
import {
  beginOn,
  type Conversation,
  findConfirmed,
  type Line,
  lockConversation,
  storeTurn,
  takeWelcome,
} from '../../db/conversations.ts'
import { type HandedOn, lockHandedOn } from '../../db/hooks.ts'
import { findShop, findShopBySlug, type Shop } from '../../db/merchants.ts'
import { openJob } from '../../db/normalization-jobs.ts'
import { beginConversation, goOn, type Heard } from '../../domain/conversation.ts'
import { turnReply } from '../../messages/conversation.ts'
import { judgeHook } from '../judge-hook.ts'
import { openReply } from './send-reply.ts'

/**
 * Takes a message that a customer has sent: it begins a conversation with the shop that it names, or goes on with the one
 * of the last two hours, and is answered. One that confirms an order is judged when that is made.
 */
export async function takeMessage(ctx: Context, tx: Tx, taken: { hookId: string; attempt: number }): Promise<void> {
  const hook = await lockHandedOn(tx, taken.hookId)
  if (!hook || hook.attempt !== taken.attempt) return
  const confirmed = await findConfirmed(tx, hook.id)
  if (confirmed) return order(ctx, tx, hook, confirmed)

  const body = readKept(hook.body)
  const message = body && readMessage(body)
  if (!message) return judge(ctx, tx, hook, { state: 'dead', reason: 'unreadable' })
  const line = { signer: hook.signer, receiver: message.receiver, sender: message.sender }
  const open = await lockConversation(tx, line)
  const { slug, rest } = markerIn(message.text)
  const shop = await shopOf(tx, hook, slug, open)
  if (!shop) return welcome(ctx, tx, hook, { line, message })
  const refusal = await refusalOf(ctx, tx, hook, { message, shop })
  if (refusal !== null) return judge(ctx, tx, hook, { state: 'ignored', reason: refusal, merchantId: shop.merchantId })
  await talk(ctx, tx, hook, { line, message, shop, text: rest, open: slug === null ? open : null })
}

/** That of the address comes first; then the one that is named, and only where none is named that of before. */
function shopOf(tx: Tx, hook: HandedOn, slug: string | null, open: Conversation | null): Promise<Shop | null> {
  if (hook.pathMerchantId !== null) return findShop(tx, hook.pathMerchantId)
  if (slug !== null) return findShopBySlug(tx, slug)
  return open ? findShop(tx, open.merchantId) : Promise.resolve(null)
}

interface Meant {
  message: InboundMessage
  shop: Shop
}

/** Why a message is not for this service. */
async function refusalOf(ctx: Context, tx: Tx, hook: HandedOn, { message, shop }: Meant): Promise<string | null> {
  if (shop.messagingEngine === 'off') return 'messaging_off'
  if (hook.pathMerchantId === null) return null
  const { merchantId } = shop
  const { receiverPhone } = await findChannelSettings(tx, ctx.openSecret, { merchantId, channel: hook.channel })
  const isOfOther = receiverPhone !== null && phoneDigits(receiverPhone) !== message.receiver
  return isOfOther ? 'other_receiver' : null
}

interface Talk extends Meant {
  line: Line
  /** Without the shop's name. */
  text: string
  open: Conversation | null
}

async function talk(ctx: Context, tx: Tx, hook: HandedOn, { line, message, shop, text, open }: Talk): Promise<void> {
  const { merchantId, timezone } = shop
  const { isOfApp } = message
  const heard: Heard = { text, sender: `+${message.sender}`, at: tx.now, timezone }
  const goesOn = open !== null && open.asked !== null && open.merchantId === merchantId
  const turn = goesOn ? goOn(open.told, open.asked!, heard) : beginConversation(heard)
  const { told, asked, end } = turn
  const conversation = goesOn
    ? open
    : await beginOn(tx, { ...line, merchantId, externalOrderId: message.id, told, asked, isOfApp })
  const hookId = end === 'confirmed' ? hook.id : null
  if (goesOn) await storeTurn(tx, conversation, { told, asked, hookId })
  await openReply(ctx, tx, { line, text: turnReply(turn, timezone), isOfApp })
  if (hookId !== null) return order(ctx, tx, hook, conversation)
  return judge(ctx, tx, hook, { state: 'applied', merchantId })
}

/** The order is made by its job, which judges the message. */
async function order(ctx: Context, tx: Tx, { id, channel }: HandedOn, confirmed: Conversation): Promise<void> {
  const { merchantId, externalOrderId } = confirmed
  await openJob(tx, { id, channel, merchantId, externalOrderId })
  tx.afterCommit(() => ctx.normalizer.wake())
}

/** Whoever has named no shop is told how to, where the operator has words for that. */
async function welcome(ctx: Context, tx: Tx, hook: HandedOn, { line, message }: Pick<Talk, 'line' | 'message'>) {
  const { messagingWelcome: text, messagingWelcomeHours: everyHours, messagingWelcomesPerHour: perHour } = ctx.config
  const isWanted = text !== undefined && hook.signer === 'platform'
  if (isWanted && (await takeWelcome(tx, { sender: message.sender, everyHours, perHour })))
    await openReply(ctx, tx, { line, text, isOfApp: message.isOfApp })
  await judge(ctx, tx, hook, { state: 'ignored', reason: 'unmatched' })
}

interface Verdict {
  state: 'applied' | 'ignored' | 'dead'
  reason?: string
  merchantId?: string
}

const judge = (ctx: Context, tx: Tx, { id: hookId, attempt }: HandedOn, { state, reason, merchantId }: Verdict) =>
  judgeHook(ctx, tx, { hookId, attempt, state, reason: reason ?? null, merchantId: merchantId ?? null })
