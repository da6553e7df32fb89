import { randomUUID } from 'node:crypto'
import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { BillingServiceService } from '@svc/contracts/wallet/v1/billing_service'
import { CommissionServiceService, type SettleCommissionRequest } from '@svc/contracts/wallet/v1/commission_service'
import { TopupServiceService } from '@svc/contracts/wallet/v1/topup_service'
import { WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { systemCaller } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { serviceUnderTest, testClient } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import pg from 'pg'
import type { Context } from '../src/context.ts'
import { postAdjustment } from '../src/db/post-adjustment.ts'
import type { Decision, Owner } from '../src/domain/operation.ts'
import { wallet as walletDefinition } from '../src/service.ts'

export type TestWallet = Awaited<ReturnType<typeof startWallet>>

const RESULT_TYPES = new pg.TypeOverrides()
RESULT_TYPES.setTypeParser(20, Number)

/** The wallet service in this process, on a database and topics of its own. */
export async function startWallet(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const { service, env, database, servers, prefix, sql, stop } = await serviceUnderTest(walletDefinition, {
    settings: { MAIL_API_URL: 'none', BILLING_ENFORCEMENT: 'false', ...settings },
    overrides,
    topics: ['svc.admin.v1', 'svc.ingestion.v1', 'svc.order.v1'],
    types: RESULT_TYPES,
  })
  const adminTopic = `${prefix}svc.admin.v1`
  const producer = kafkaProducer({ brokers: servers.kafkaBrokers, clientId: 'test' })
  const link = { address: service.address(), to: 'wallet' }
  const wallet = testClient(WalletServiceService, link)
  const topups = testClient(TopupServiceService, link)
  const commission = testClient(CommissionServiceService, link)
  const billing = testClient(BillingServiceService, link)

  return {
    service,
    context: service.context,
    environment: env,
    database,
    wallet,
    commission,
    topups,
    billing,
    /** As the order service, which settles what its orders earn. */
    orders: () => commission.as(systemCaller('order')),
    /** As the worker role, which sees every row. */
    sql,
    /** Announces a merchant as admin would. */
    async announceMerchant(id: string, { version = 1, currency = 'NGN' } = {}): Promise<void> {
      const merchant = {
        id,
        currency,
        merchant_tier: 'pay_as_you_go',
        billing_status: 'active',
        kyb_status: 'verified',
      }
      const type = version === 1 ? 'merchant.created' : 'merchant.updated'
      const payload = MerchantFact.encode(MerchantFact.fromPartial({ merchant: { ...merchant, version } })).finish()
      const headers = {
        ce_specversion: '1.0',
        ce_id: eventIdOf(id, type, version),
        ce_type: type,
        ce_source: 'admin',
        ce_time: new Date().toISOString(),
        ce_aggregateversion: String(version),
        ce_merchantid: id,
        ce_istest: 'false',
      }
      await producer.send([{ topic: adminTopic, key: id, payload: Buffer.from(payload), headers }])
    },
    /** Gives a live wallet its first money. */
    fund: (owner: Owner, amountMinor: number): Promise<Decision> =>
      postAdjustment(service.context, {
        opKey: `fund:${randomUUID()}`,
        owner,
        isTest: false,
        amountMinor,
        description: 'First money',
      }),
    async stop() {
      for (const client of [wallet, billing, commission, topups]) client.close()
      await producer.stop()
      await stop()
    },
  }
}

export const merchantOwner = (id: string): Owner => ({ kind: 'merchant', id })

/** A settlement of a fresh order of the merchant, by its first attempt. */
export function settlementOf(
  merchantId: string,
  overrides: Partial<SettleCommissionRequest> = {},
): SettleCommissionRequest {
  const order_id = overrides.order_id ?? randomUUID()
  return {
    op_key: `commission:${order_id}:1`,
    order_id,
    merchant_id: merchantId,
    rider_id: randomUUID(),
    amount_minor: 5_000,
    currency: 'NGN',
    mode: 'pay',
    payer: 'merchant',
    ...overrides,
  }
}
