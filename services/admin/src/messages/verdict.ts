import type { Standing, VerifyApiKeyResponse, VerifySessionResponse } from '@svc/contracts/admin/v1/credential_service'
import type { KeyVerdict, SessionVerdict } from '../db/verdicts.ts'

const standing = ({ merchant_id, billing_status, kyb_status, business_approval_status }: Standing): Standing => ({
  merchant_id,
  billing_status,
  kyb_status,
  business_approval_status,
})

export function keyVerdictMessage(keyId: string, judged: KeyVerdict): VerifyApiKeyResponse {
  if (!('row' in judged))
    return {
      verdict: judged.verdict,
      key_id: keyId,
      is_test: false,
      scopes: [],
      enterprise_tier: false,
      made_by_operator: false,
      epoch: 0,
      standing: undefined,
    }
  const { verdict, row } = judged
  return {
    verdict,
    key_id: keyId,
    is_test: row.is_test,
    scopes: row.scopes,
    enterprise_tier: row.enterprise_tier,
    made_by_operator: row.made_by_operator,
    epoch: row.epoch,
    standing: standing(row),
  }
}

export function sessionVerdictMessage(judged: SessionVerdict): VerifySessionResponse {
  const none = { minter_scopes: [], rider_logs_in: false, made_by_operator: false }
  if (!('row' in judged)) {
    const epoch = 'epoch' in judged ? judged.epoch : 0
    return { ...none, verdict: judged.verdict, epoch, session_epoch: 0, standing: undefined }
  }
  const { verdict, row } = judged
  const where = row.merchant_id === null ? undefined : standing(row)
  return {
    verdict,
    epoch: row.epoch,
    session_epoch: row.session_epoch,
    standing: where,
    minter_epoch: row.minter_epoch ?? undefined,
    minter_scopes: row.minter_scopes ?? [],
    rider_logs_in: row.rider_logs_in,
    made_by_operator: row.made_by_operator,
  }
}
