import { describe, expect, test } from '@jest/globals'
import { routes } from '../../gateway/src/routes/index.ts'
import { files } from './tree.ts'

/** By what an operation of operators stands in the audit log. Whoever adds one, tells here by which action. */
const ACTIONS: Readonly<Record<string, string>> = {
  exchangeAdminToken: 'admin_token.mint',
  logInOperator: 'operator.login',
  changeOperatorPassword: 'operator.password_change',
  createIdentity: 'operator.create',
  deleteIdentity: 'operator.delete',
  createCustomRole: 'custom_role.create',
  updateCustomRole: 'custom_role.update',
  deleteCustomRole: 'custom_role.delete',
  assignCustomRole: 'operator.role_assign',
  exportAuditLogs: 'audit_log.export',
  adminCreateApiKey: 'api_key.create',
  adminRotateApiKey: 'api_key.rotate',
  adminRevokeApiKey: 'api_key.revoke',
  updateApiKey: 'api_key.update',
  updateMerchant: 'merchant.update',
  bulkUpdateMessagingEngine: 'merchant.messaging_engine_bulk',
  replaceDispatchZones: 'merchant.dispatch_zones_replace',
  replaceDispatchSchedule: 'merchant.dispatch_schedule_replace',
  adminAssignRider: 'order.admin_assign',
  replaceCommissionSettings: 'merchant.commission_put',
  adminPutChannelSettings: 'merchant.ingestion_channel_put',
  approveWithdrawal: 'withdrawal.approve',
  rejectWithdrawal: 'withdrawal.reject',
  resolveRemittance: 'cash_remittance.resolve',
  adjustCash: 'cash_adjustment.create',
  approveCashAdjustment: 'cash_adjustment.approve',
  rejectCashAdjustment: 'cash_adjustment.reject',
  retryWithdrawal: 'withdrawal.retry',
  retryDeadLetter: 'ingestion_dead_letter.retry',
  endDeadLetter: 'ingestion_dead_letter.end',
  retryNormalizationJob: 'normalization_job.retry',
  replacePlatformGeofences: 'platform.geofences_replace',
  createRateCard: 'rate_card.create',
  updateRateCard: 'rate_card.update',
  updateRider: 'rider.update',
  revokeRiderTokens: 'rider.revoke_tokens',
  updateContactInquiry: 'contact_inquiry.update',
  adminCancelOrder: 'order.admin_cancel',
  adminRetryDelivery: 'outbound_webhook.delivery_retry',
}

interface Tree {
  /** The operations that change something for an operator, or hand out what others may not see. */
  operations: readonly string[]
  actions: Readonly<Record<string, string>>
  /** Sources of the services. */
  texts: readonly string[]
}

function breaches({ operations, actions, texts }: Tree): string[] {
  const isRecorded = (action: string) => texts.some((text) => text.includes(`'${action}'`))
  return [
    ...operations.filter((name) => actions[name] === undefined).map((name) => `${name} names no action`),
    ...Object.keys(actions).flatMap((name) => (operations.includes(name) ? [] : [`${name} is no such operation`])),
    ...Object.entries(actions).flatMap(([name, action]) =>
      isRecorded(action) ? [] : [`no service records ${action} of ${name}`],
    ),
  ]
}

const isOfOperators = ({ path }: { path: string }) => path.startsWith('/v1/admin/')
const ALSO = new Set(['exportAuditLogs'])
/** They take a body and change nothing. */
const READS = new Set(['previewNormalization'])

describe('every act of an operator', () => {
  test('is recorded by a service under the action that stands here', async () => {
    const operations = routes
      .filter((route) => isOfOperators(route) && (route.method !== 'GET' || ALSO.has(route.operationId)))
      .filter(({ operationId }) => !READS.has(operationId))
      .map(({ operationId }) => operationId)
    const sources = (await files('services/*/src/**/*.ts')).filter(({ path }) => !path.endsWith('.test.ts'))
    expect(operations.length).toBeGreaterThan(20)
    expect(breaches({ operations, actions: ACTIONS, texts: sources.map(({ text }) => text) })).toEqual([])
  })

  test('the law finds what breaks it', () => {
    const sample: Tree = {
      operations: ['cancelAll', 'payAll'],
      actions: { payAll: 'all.pay', gone: 'all.go' },
      texts: ["tx.publish(auditOf(by, { action: 'all.go' }))"],
    }
    expect(breaches(sample)).toEqual([
      'cancelAll names no action',
      'gone is no such operation',
      'no service records all.pay of payAll',
    ])
  })
})
