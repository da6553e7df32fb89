import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Idempotency } from '@svc/transact'
import type { Context } from '../../context.ts'
import { readWallet } from '../../db/open-wallet.ts'
import { findTopupByKey, insertTopup, type StoredTopup, storeCheckout } from '../../db/topups.ts'
import { requireAmountWithin } from '../../domain/amount.ts'
import { requireCallbackUrl } from '../../domain/callback-url.ts'
import { newTopupReference } from '../../domain/topup.ts'
import { openCheckout } from '../../peers/open-checkout.ts'
import { ownerEmail } from '../../peers/owner-email.ts'
import { requirePayments } from '../../peers/plans.ts'

interface Wanted {
  amountMinor: number
  callbackUrl: string | undefined
  /** Of the request, as long as it has one. */
  idempotency: Idempotency | undefined
}

interface TopupIntent {
  reference: string
  authorizationUrl: string
  accessCode: string
  amountMinor: number
  currency: string
  isReplay: boolean
}

/**
 * Opens a checkout page for money into the merchant's live wallet; the same page for the same key. What the provider knows
 * was committed here before: whatever dies in between, a payment finds its intent.
 */
export async function createTopupIntent(ctx: Context, by: By<Tenant>, wanted: Wanted): Promise<TopupIntent> {
  const { topupMinMinor: min, topupMaxMinor: max, nodeEnv } = ctx.config
  requireAmountWithin('amount_minor', wanted.amountMinor, { min, max })
  requireCallbackUrl(wanted.callbackUrl, { allowsLocal: nodeEnv !== 'production' })
  const payments = requirePayments(ctx)
  const { scope: tenant } = by
  const earlier = await earlierIntent(ctx, tenant, wanted)
  if (earlier) return earlier

  const email = await ownerEmail(ctx, by)
  const owner = { kind: 'merchant', id: tenant.merchantId } as const
  const key = { scope: tenant, owner, isTest: false }
  const currency = await readWallet(ctx, key, async (_tx, wallet) => wallet.currency)
  const { merchantId } = tenant
  const { amountMinor, callbackUrl } = wanted
  const topup = { reference: newTopupReference(), merchantId, amountMinor, currency }
  const verifyAfterMs = ctx.config.paymentSweepAfterMs
  const isFirst = await ctx.transact(tenant, (tx) => insertTopup(tx, { ...wanted, ...topup, verifyAfterMs }))
  if (!isFirst) return (await earlierIntent(ctx, tenant, wanted)) ?? stillRunning()
  ctx.failpoint('topup.stored')

  const checkout = await openCheckout(ctx, payments, { ...topup, email, callbackUrl })
  ctx.failpoint('topup.initialized')
  await ctx.transact(tenant, (tx) => storeCheckout(tx, topup.reference, checkout))
  ctx.failpoint('topup.opened')
  return { ...topup, ...checkout, isReplay: false }
}

/** What an earlier request made under this key; throws where it asked for something else, or is still running. */
async function earlierIntent(ctx: Context, tenant: Tenant, wanted: Wanted): Promise<TopupIntent | null> {
  const { idempotency, amountMinor, callbackUrl } = wanted
  if (!idempotency) return null
  const row = await ctx.transact(tenant, (tx) => findTopupByKey(tx, tenant, idempotency.key))
  if (!row) return null
  // The hash holds also who acts for whom. One stored before it was kept has none.
  const isOther = row.requestHash?.equals(idempotency.request_hash) === false
  if (isOther || row.amountMinor !== amountMinor || row.callbackUrl !== (callbackUrl ?? null))
    throw new ServiceError('idempotency_conflict')
  return replayed(row) ?? stillRunning()
}

function replayed(row: StoredTopup): TopupIntent | null {
  const { reference, authorizationUrl, accessCode, amountMinor, currency } = row
  if (authorizationUrl === null || accessCode === null) return null
  return { reference, authorizationUrl, accessCode, amountMinor, currency, isReplay: true }
}

function stillRunning(): never {
  throw new ServiceError('idempotency_in_progress', { retryAfterSeconds: 1 })
}
