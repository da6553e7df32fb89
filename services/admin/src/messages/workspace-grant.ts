import type {
  VerifyWorkspaceGrantResponse,
  WorkspaceGrant as WorkspaceGrantMessage,
} from '@svc/contracts/admin/v1/workspace_grant_service'
import type { GrantVerdictRow } from '../db/workspace-grants.ts'
import type { WorkspaceGrant } from '../domain/workspace-grant.ts'

/** A grant as both of its merchants see it. */
export function workspaceGrantMessage(grant: WorkspaceGrant): WorkspaceGrantMessage {
  return {
    id: grant.id,
    grantor_merchant_id: grant.grantorMerchantId,
    grantee_merchant_id: grant.granteeMerchantId,
    scopes: [...grant.scopes],
    is_test: grant.isTest,
    status: grant.status(),
    created_at: grant.createdAt.toISOString(),
    revoked_at: grant.revokedAt?.toISOString(),
  }
}

export function grantVerdictMessage(row: GrantVerdictRow | undefined): VerifyWorkspaceGrantResponse {
  if (!row || row.revoked) {
    const epoch = row?.epoch ?? 0
    return { verdict: 'none', scopes: [], is_test: false, epoch, standing: undefined, may_trade_live: false }
  }
  const { scopes, is_test, epoch, may_trade_live, ...rest } = row
  const { merchant_id, billing_status, kyb_status, business_approval_status } = rest
  const standing = { merchant_id, billing_status, kyb_status, business_approval_status }
  return { verdict: 'active', scopes, is_test, epoch, standing, may_trade_live }
}
