import { ServiceError } from '@svc/errors'
import { type Checkout, PaymentRefusedError, type Payments } from '@svc/payments'
import type { Context } from '../context.ts'
import { giveUpAttempt } from '../db/topups.ts'
import type { Topup } from '../domain/topup.ts'

interface Payer {
  email: string
  callbackUrl: string | undefined
}

/**
 * The page on which a stored top-up can be paid. Throws service_unavailable where the provider gives none: no payer
 * has seen a page then, so that the next try may be a top-up of its own.
 */
export async function openCheckout(ctx: Context, payments: Payments, topup: Topup & Payer): Promise<Checkout> {
  const { reference, merchantId, amountMinor, currency, email, callbackUrl } = topup
  const metadata = { merchant_id: merchantId }
  try {
    return await payments.initializeTransaction({ reference, email, amountMinor, currency, callbackUrl, metadata })
  } catch (error) {
    // Whether it has taken effect is known only where it was refused; whatever else happened, the sweep finds out.
    const isRefused = error instanceof PaymentRefusedError
    if (isRefused)
      ctx.logger.error({ err: error, reference, alert: 'topup_refused' }, 'the payment provider refuses a top-up')
    await ctx.transact({ merchantId, isTest: false }, (tx) => giveUpAttempt(tx, reference, isRefused))
    throw new ServiceError('service_unavailable', { cause: error })
  }
}
