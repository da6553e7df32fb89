import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { redactedJson } from '../domain/redact.ts'
import { recordAudit } from '../use-cases/audit/record-audit.ts'

/** Keeps every privileged act that a service announces, once each, in the chain. */
export const onAuditRecorded = consumer({
  name: 'audit-recorded',
  of: ['audit.recorded'],
  gatherMs: 500,
  async handle({ id, time, message }, tx, { config }: Context) {
    await recordAudit(tx, config.auditKey[0]!, {
      event_id: id,
      at: time.toISOString(),
      actor_type: message.actor_type,
      actor_id: message.actor_id,
      on_behalf_of: message.on_behalf_of ?? null,
      merchant_id: message.merchant_id ?? null,
      action: message.action,
      resource_type: message.resource_type,
      resource_id: message.resource_id,
      ip: message.ip ?? null,
      request_id: message.request_id ?? null,
      trace_id: message.trace_id ?? null,
      before_json: redactedJson(message.before_json),
      after_json: redactedJson(message.after_json),
    })
  },
})
