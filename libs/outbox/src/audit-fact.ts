import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Fact } from './fact.ts'

/** `audit.recorded`: one privileged act, for admin's append-only log. Pass no secrets in before_json and after_json. */
export function auditFact({ isTest, ...act }: Omit<AuditRecorded, 'trace_id'> & { isTest: boolean }): Fact {
  return {
    type: 'audit.recorded',
    aggregateType: 'audit',
    aggregateId: randomUUID(),
    aggregateVersion: 1,
    merchantId: act.merchant_id ?? null,
    isTest,
    payload: Buffer.from(
      AuditRecorded.encode({ ...act, trace_id: trace.getActiveSpan()?.spanContext().traceId }).finish(),
    ),
  }
}
