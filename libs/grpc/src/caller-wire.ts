import type { Caller } from './caller.ts'

/** The caller as it travels. */
export interface WireCaller {
  kind: Caller['kind']
  merchant_id?: string
  is_test: boolean | null
  scopes: readonly string[]
  permissions?: readonly string[]
  actor: Caller['actor']
  acting_for?: string
  credential?: string
  credential_epoch?: number
  session_id?: string
  code_login_at?: number
  minted_by?: { credential: string; scopes: readonly string[]; rider_logs_in: boolean }
  made_by_operator?: true
  standing?: { billing_status: string; kyb_status: string; business_approval_status: string }
  request_id: string
  ip?: string
}

/** The travelling form of a caller. */
export function toWire(caller: Caller): WireCaller {
  const { standing, mintedBy } = caller
  return {
    kind: caller.kind,
    merchant_id: caller.merchantId,
    is_test: caller.isTest,
    scopes: caller.scopes,
    permissions: caller.permissions,
    actor: caller.actor,
    acting_for: caller.actingFor,
    credential: caller.credential,
    credential_epoch: caller.credentialEpoch,
    session_id: caller.sessionId,
    code_login_at: caller.codeLoginAt,
    minted_by: mintedBy && {
      credential: mintedBy.credential,
      scopes: mintedBy.scopes,
      rider_logs_in: mintedBy.riderLogsIn,
    },
    made_by_operator: caller.madeByOperator,
    standing: standing && {
      billing_status: standing.billingStatus,
      kyb_status: standing.kybStatus,
      business_approval_status: standing.businessApprovalStatus,
    },
    request_id: caller.requestId,
    ip: caller.ip,
  }
}

/** The caller of a travelling form whose signature holds. */
export function fromWire(wire: WireCaller): Caller {
  const { standing, minted_by } = wire
  return {
    kind: wire.kind,
    merchantId: wire.merchant_id,
    isTest: wire.is_test,
    scopes: wire.scopes,
    permissions: wire.permissions,
    actor: wire.actor,
    actingFor: wire.acting_for,
    credential: wire.credential,
    credentialEpoch: wire.credential_epoch,
    sessionId: wire.session_id,
    codeLoginAt: wire.code_login_at,
    mintedBy: minted_by && {
      credential: minted_by.credential,
      scopes: minted_by.scopes,
      riderLogsIn: minted_by.rider_logs_in,
    },
    madeByOperator: wire.made_by_operator,
    standing: standing && {
      billingStatus: standing.billing_status,
      kybStatus: standing.kyb_status,
      businessApprovalStatus: standing.business_approval_status,
    },
    requestId: wire.request_id,
    ip: wire.ip,
  }
}
