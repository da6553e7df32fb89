import type { Caller } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import { lockActiveKeys } from '../db/api-keys.ts'
import { lockActiveGrants, logsOfGrant } from '../db/workspace-grants.ts'
import type { Merchant } from '../domain/merchant.ts'
import { apiKeyAudit, workspaceGrantAudits } from '../events.ts'
import type { CredentialEpoch } from '../peers/epochs.ts'

/**
 * Ends every key and grant of a merchant, whose row is held, as its owner comes in for the first time by a way that is the
 * owner's own: who made them may have signed up with the address of another. Not of one that may trade live: an operator has
 * seen whose business it is, and its orders would stop. The caller publishes the epochs after the commit.
 */
export async function endUnprovenPast(tx: OrmTx, by: Caller, merchant: Merchant): Promise<CredentialEpoch[]> {
  if (merchant.mayTradeLive()) return []
  const keys = await lockActiveKeys(tx.em, merchant)
  for (const key of keys) {
    key.revoke(tx.now)
    tx.publish(apiKeyAudit(by, 'api_key.revoke', key))
  }
  const grants = await lockActiveGrants(tx.em, merchant)
  for (const grant of grants) {
    grant.revoke(tx.now)
    const logs = await logsOfGrant(tx, grant)
    for (const audit of workspaceGrantAudits(by, 'workspace_grant.revoke', grant, logs)) tx.publish(audit)
  }
  return [...keys, ...grants].map((one) => ({ credential: one.credential(), epoch: one.epoch }))
}
