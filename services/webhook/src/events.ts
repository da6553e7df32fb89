import type { Tenant } from '@svc/database'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { DeliveryRow, ReplayPeriod } from './db/deliveries.ts'
import type { Endpoints } from './domain/endpoint.ts'

/** The audit row of a change of endpoints; of their secrets it says only whether they exist. */
export function endpointAudit(caller: Caller, action: string, before: Endpoints, after: Endpoints) {
  return auditOf(caller, {
    action,
    merchantId: after.merchantId,
    isTest: caller.isTest === true,
    resourceType: 'outbound_webhook',
    resourceId: after.merchantId,
    before: auditedEndpoints(before),
    after: auditedEndpoints(after),
  })
}

/** The audit row of an endpoint that was disabled because it never answered. */
export function endpointDisabledAudit(caller: Caller, { merchantId, isTest }: { merchantId: string; isTest: boolean }) {
  return auditOf(caller, {
    action: 'merchant.outbound_webhook_disabled',
    merchantId,
    isTest,
    resourceType: 'outbound_webhook',
    resourceId: merchantId,
    before: { enabled: true },
    after: { enabled: false },
  })
}

/** The audit row of a retry by hand. */
export function deliveryRetryAudit(caller: Caller, before: DeliveryRow, after: DeliveryRow) {
  return auditOf(caller, {
    action: 'outbound_webhook.delivery_retry',
    merchantId: after.merchant_id,
    isTest: after.is_test,
    resourceType: 'outbound_webhook_delivery',
    resourceId: after.id,
    before: { status: before.status, attempts: before.attempts },
    after: { status: after.status, attempts: after.attempts },
  })
}

/** The audit row of a replay of a period. */
export function replayAudit(caller: Caller, tenant: Tenant, period: ReplayPeriod, queued: number) {
  return auditOf(caller, {
    action: 'outbound_webhook.replay',
    merchantId: tenant.merchantId,
    isTest: tenant.isTest ?? false,
    resourceType: 'outbound_webhook',
    resourceId: tenant.merchantId,
    after: { ...period, queued },
  })
}

const auditedEndpoints = ({ live, sandbox }: Endpoints) => ({
  url: live.url,
  enabled: live.enabled,
  secret_configured: live.secret !== null,
  events: live.events,
  signature_version: live.signatureVersion,
  test_url: sandbox.url,
  test_enabled: sandbox.enabled,
  test_secret_configured: sandbox.secret !== null,
  test_events: sandbox.events,
  test_signature_version: sandbox.signatureVersion,
})
