import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { readBillingAccount } from '../../db/billing-accounts.ts'
import { listSubscriptions, type SubscriptionRow, storeManageUrl } from '../../db/subscriptions.ts'
import { entitlementsNote } from '../../domain/entitlements-note.ts'

/** The provider's links work for a day. */
const FRESH_MS = 3_600_000
/** What a reader waits for the provider at most. */
const PATIENCE_MS = 2_000

interface Billing {
  isEnforced: boolean
  entitlementsNote: string
  manageUrl: string | null
}

/** What the wallet knows of a merchant's billing. It never fails for want of the provider: the link is the last one known then. */
export async function getBilling(ctx: Context, { scope }: By<Tenant>): Promise<Billing> {
  const { merchantId } = scope
  const { tier } = await ctx.transact('every tenant', (tx) => readBillingAccount(tx, merchantId))
  const subscriptions = await listSubscriptions(ctx.reads.in(scope).sql, merchantId)
  const present = subscriptions.find(({ hasEnded }) => !hasEnded)
  return {
    isEnforced: ctx.config.billingEnforcement,
    entitlementsNote: entitlementsNote(tier),
    manageUrl: present ? await manageUrlOf(ctx, present) : null,
  }
}

async function manageUrlOf(ctx: Context, { code, manageUrl, manageUrlAt }: SubscriptionRow): Promise<string | null> {
  const isFresh = manageUrlAt !== null && Date.now() - manageUrlAt.getTime() < FRESH_MS
  if (isFresh || !ctx.payments) return manageUrl
  const asked = ctx.payments.subscriptionManageUrl(code).then(
    async (url) => {
      await ctx.transact('every tenant', (tx) => storeManageUrl(tx, code, url))
      return url
    },
    (err: unknown) => {
      ctx.logger.warn({ err }, 'the payment provider gives no link; the last one stands')
      return manageUrl
    },
  )
  return within(PATIENCE_MS, asked, manageUrl)
}

/** The answer, or the other where it does not come in time; a late one is not lost: its own call stores it. */
async function within<T>(timeoutMs: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const timeout = Promise.withResolvers<T>()
  const timer = setTimeout(() => timeout.resolve(otherwise), timeoutMs)
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}
