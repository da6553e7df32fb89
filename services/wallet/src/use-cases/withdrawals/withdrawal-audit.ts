import type { Caller } from '@svc/grpc'
import { auditOf, type Fact } from '@svc/outbox'
import type { WithdrawalRow } from '../../db/withdrawals.ts'

/** The audit row of what an operator did to a withdrawal. */
export function withdrawalAudit(operator: Caller, action: string, before: WithdrawalRow, after: WithdrawalRow): Fact {
  return auditOf(operator, {
    action,
    resourceType: 'withdrawal',
    resourceId: after.id,
    merchantId: after.owner_kind === 'merchant' ? after.owner_id : null,
    before: seen(before),
    after: seen(after),
  })
}

const seen = ({ status, amount_minor, attempt, approvals, failure_reason }: WithdrawalRow) => ({
  status,
  amount_minor,
  attempt,
  approvals,
  failure_reason,
})
