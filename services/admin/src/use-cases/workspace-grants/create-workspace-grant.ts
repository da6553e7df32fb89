import type { MerchantScope } from '@svc/credentials'
import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertStillJudged } from '../../db/api-keys.ts'
import { findMerchant, lockMerchant } from '../../db/merchants.ts'
import { countGrantees, insertGrant, lockGrantTo, logsOfGrant, noteGivenAgain } from '../../db/workspace-grants.ts'
import { assertHolds, scopesInOrder } from '../../domain/grant-scopes.ts'
import type { WorkspaceGrant } from '../../domain/workspace-grant.ts'
import { workspaceGrantAudits } from '../../events.ts'

const MAX_GRANTEES = 1_000

interface CreateWorkspaceGrant {
  grantee: string
  scopes: readonly MerchantScope[]
}

/**
 * Lets another merchant act for the tenant within scopes that the caller holds. What a test credential gives reaches the
 * sandbox alone. A revoked grant lives again under its id; what was made of it before stays dead.
 */
export async function createWorkspaceGrant(
  ctx: Context,
  { caller, scope: tenant }: By<Tenant>,
  { grantee, scopes }: CreateWorkspaceGrant,
): Promise<WorkspaceGrant> {
  if (grantee === tenant.merchantId) {
    const message = 'A merchant needs no grant of its own.'
    throw validationError([{ field: 'grantee_merchant_id', rule: 'another_merchant', message }])
  }
  assertHolds(caller.scopes, scopes)
  const given = { scopes: scopesInOrder(scopes), isTest: caller.isTest === true }

  const grant = await ctx.transact('every tenant', async (tx) => {
    // One at a time gives grants of a merchant, so that they can be counted.
    await lockMerchant(tx.em, tenant.merchantId)
    await assertStillJudged(tx, caller)
    await findMerchant(tx.em, grantee)
    const known = await lockGrantTo(tx.em, tenant, grantee)
    known?.giveAgain(given)
    if (known) await noteGivenAgain(tx, known.id)
    if (!known && (await countGrantees(tx.em, tenant)) >= MAX_GRANTEES)
      throw new ServiceError('limit_reached', { details: { limit: MAX_GRANTEES } })
    const made = known ?? insertGrant(tx, tenant, grantee, given)
    const logs = await logsOfGrant(tx, made)
    for (const audit of workspaceGrantAudits(caller, 'workspace_grant.create', made, logs)) tx.publish(audit)
    return made
  })
  await ctx.epochs.publish([{ credential: grant.credential(), epoch: grant.epoch }])
  return grant
}
