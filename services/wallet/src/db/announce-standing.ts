import type { Tx } from '@svc/transact'
import { standingOf } from '../domain/billing-standing.ts'
import { billingStatusFact } from '../events.ts'
import { type AnnouncedStanding, storeStanding } from './billing-standings.ts'
import { matchSubscription, unmatchedPayments } from './subscription-intents.ts'
import { listSubscriptions } from './subscriptions.ts'

/** Announces where a merchant stands if that has changed since it was announced last. The caller has locked its standing. */
export async function announceStanding(
  tx: Tx,
  merchantId: string,
  announced: AnnouncedStanding,
  reason: string,
): Promise<void> {
  await matchSubscription(tx, merchantId)
  const subscriptions = await listSubscriptions(tx.sql, merchantId)
  const standing = standingOf([...subscriptions, ...(await unmatchedPayments(tx, merchantId))])
  const isOld =
    standing?.billingStatus === announced.billingStatus &&
    standing.periodEnd?.getTime() === announced.periodEnd?.getTime()
  if (standing === null || isOld) return
  const version = announced.version + 1
  await storeStanding(tx, merchantId, standing, version)
  tx.publish(billingStatusFact(merchantId, standing, version, reason))
}
