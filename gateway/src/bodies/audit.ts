import type { AuditLog } from '@svc/contracts/admin/v1/audit_service'
import { fieldsOf, id, instant, orNull, rawJson, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

const ACTOR_TYPES = ['merchant_key', 'merchant_user', 'rider', 'admin', 'system', 'provider'] as const

const record = orNull(rawJson(z.looseObject({})))

/** One privileged act. */
export const auditLog = z
  .object({
    ...fieldsOf<AuditLog>()({
      id,
      seq: whole.meta({ description: 'Its place in the chain, from 1 without gaps' }),
      at: instant,
      actor_type: words(...ACTOR_TYPES),
      actor_id: z.string(),
      on_behalf_of: orNull(z.string()),
      merchant_id: orNull(id),
      action: z.string().meta({ example: 'order.admin_cancel' }),
      resource_type: z.string(),
      resource_id: z.string(),
      ip: orNull(z.string()),
      request_id: orNull(z.string()),
      trace_id: orNull(z.string()),
    }),
    before: record,
    after: record,
  })
  .meta({ id: 'AuditLog' })

export const auditLogOf = ({ before_json: before, after_json: after, ...entry }: AuditLog) => ({
  ...entry,
  before,
  after,
})
