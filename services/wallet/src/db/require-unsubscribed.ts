import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/transact'
import { isPastDue } from '../domain/billing-standing.ts'
import { findAwaited } from './subscription-intents.ts'
import { listSubscriptions } from './subscriptions.ts'

/**
 * Throws already_exists where the merchant pays for the plan already and will go on to, or has paid for a subscription
 * that is on its way: it would pay twice.
 */
export async function requireUnsubscribed(tx: Tx, merchantId: string, planCode: string): Promise<void> {
  const subscriptions = await listSubscriptions(tx.sql, merchantId)
  const present = subscriptions.find(
    (each) => each.planCode === planCode && !each.hasEnded && !each.isNotRenewing && !isPastDue(each),
  )
  if (present) throw new ServiceError('already_exists', { details: { subscription_code: present.code } })
  const reference = await findAwaited(tx, merchantId, planCode)
  if (reference !== null) throw new ServiceError('already_exists', { details: { reference } })
}
