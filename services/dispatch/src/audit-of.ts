import type { Caller } from '@svc/grpc'
import { type AuditedAct, auditOf as auditRowOf, type Fact } from '@svc/outbox'

/** The audit row of a privileged act of the caller's, in the caller's environment. Pass no secrets in before and after. */
export const auditOf = (caller: Caller, act: Omit<AuditedAct, 'isTest'>): Fact =>
  auditRowOf(caller, { ...act, isTest: caller.isTest ?? false })
