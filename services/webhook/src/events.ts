import type { Tenant } from '@svc/database'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { DeliveryRow, ReplayPeriod } from './db/deliveries.ts'
import type { Endpoint } from './domain/endpoint.ts'

/** The audit row of a change of an endpoint; of its secrets it says only whether they exist. */
export function endpointAudit(caller: Caller, action: string, before: Endpoint, after: Endpoint) {
  return auditOf(caller, {
    action,
    merchantId: after.merchantId,
    isTest: false,
    resourceType: 'outbound_webhook',
    resourceId: after.merchantId,
    before: auditedEndpoint(before),
    after: auditedEndpoint(after),
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

const auditedEndpoint = (endpoint: Endpoint) => ({
  url: endpoint.url,
  enabled: endpoint.enabled,
  secret_configured: endpoint.secret !== null,
  events: endpoint.events,
  signature_version: endpoint.signatureVersion,
  test_url: endpoint.testUrl,
  test_secret_configured: endpoint.testSecret !== null,
})
