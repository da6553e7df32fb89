import { randomBytes, randomUUID } from 'node:crypto'
import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { OrderFact } from '@svc/contracts/order/v1/order'
import {
  DeliveryServiceService,
  EventServiceService,
  FaultServiceService,
} from '@svc/contracts/webhook/v1/delivery_service'
import {
  OutboundWebhookServiceService,
  UpdateOutboundWebhookRequest,
  type UpdateOutboundWebhookResponse,
} from '@svc/contracts/webhook/v1/outbound_webhook_service'
import type { Caller, Client } from '@svc/grpc'
import { type FactMessage, kafkaProducer } from '@svc/kafka'
import { surroundingsOf, type TestDatabase, testClient } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { webhook as webhookDefinition } from '../src/service.ts'

export interface OrderFactInput {
  merchantId: string
  orderId?: string
  version?: number
  type?: string
  isTest?: boolean
  fact?: Partial<Omit<OrderFact, 'order'>>
  order?: Partial<NonNullable<OrderFact['order']>>
  time?: Date
  traceparent?: string
}

export interface Clients {
  webhook: Client<typeof OutboundWebhookServiceService>
  delivery: Client<typeof DeliveryServiceService>
  event: Client<typeof EventServiceService>
  fault: Client<typeof FaultServiceService>
  /** Changes the endpoint of the caller's merchant. */
  patch(caller: Caller, change: Partial<UpdateOutboundWebhookRequest>): Promise<UpdateOutboundWebhookResponse>
}

export interface PreparedWebhook {
  database: TestDatabase
  env: Record<string, string>
  connect(address: string): Clients
  /** Statements of the worker role, which sees every row. */
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** Announces facts as the order service would; returns their event ids. */
  announce(...facts: OrderFactInput[]): Promise<string[]>
  announceMerchant(merchant: { id: string; name: string; email: string }): Promise<void>
  send(messages: FactMessage[]): Promise<void>
  release(): Promise<void>
}

export interface TestWebhook extends PreparedWebhook, Clients {
  context: Context
  opsAddress: string
  stop(): Promise<void>
}

/** The whole service in this process, on a database, topics and ports of its own. */
export async function startWebhook(overrides: Record<string, string> = {}): Promise<TestWebhook> {
  const prepared = await prepareWebhook(overrides)
  const service = await webhookDefinition.create(readConfig(prepared.env))
  await service.start()
  return {
    ...prepared,
    ...prepared.connect(service.address()),
    context: service.context,
    opsAddress: service.opsAddress(),
    async stop() {
      await service.stop()
      await prepared.release()
    },
  }
}

/** A database and topics for a service, however that is started, and what a test needs to talk to both. */
export async function prepareWebhook(settings: Record<string, string> = {}): Promise<PreparedWebhook> {
  const { env, database, servers, prefix, sql, release } = await surroundingsOf(webhookDefinition, {
    settings: {
      GRPC_PORT: '0',
      OPS_PORT: '0',
      MAIL_API_URL: 'none',
      KEY_ENCRYPTION_KEY: `test:${randomBytes(32).toString('base64')}`,
      WEBHOOK_ALLOW_LOCAL: 'true',
      ...settings,
    },
    topics: ['svc.order.v1', 'svc.admin.v1', 'svc.wallet.v1'],
  })
  const { kafkaBrokers } = servers
  const [orderTopic, adminTopic] = [`${prefix}svc.order.v1`, `${prefix}svc.admin.v1`] as const
  const producer = kafkaProducer({ brokers: kafkaBrokers, clientId: 'test' })
  const closing: Array<() => void> = []

  return {
    database,
    env,
    connect(address) {
      const link = { address, to: 'webhook' }
      const webhook = testClient(OutboundWebhookServiceService, link)
      const delivery = testClient(DeliveryServiceService, link)
      const event = testClient(EventServiceService, link)
      const fault = testClient(FaultServiceService, link)
      closing.push(...[webhook, delivery, event, fault].map((client) => () => client.close()))
      const patch: Clients['patch'] = (caller, change) =>
        webhook.as(caller).updateOutboundWebhook(UpdateOutboundWebhookRequest.fromPartial(change))
      return { webhook, delivery, event, fault, patch }
    },
    sql,
    send: (messages) => producer.send(messages),
    async announce(...facts) {
      const messages = facts.map((fact) => orderMessage(orderTopic, fact))
      await producer.send(messages)
      return messages.map(({ headers }) => headers.ce_id ?? '')
    },
    announceMerchant: (merchant) => producer.send([merchantMessage(adminTopic, merchant)]),
    async release() {
      for (const close of closing) close()
      await producer.stop()
      await release()
    },
  }
}

function merchantMessage(topic: string, merchant: { id: string; name: string; email: string }): FactMessage {
  const payload = MerchantFact.encode(MerchantFact.fromPartial({ merchant: { ...merchant, version: 1 } })).finish()
  const headers = cloudEvent(merchant.id, 'merchant.created', 1, merchant.id, false, new Date())
  return { topic, key: merchant.id, payload: Buffer.from(payload), headers }
}

/** An order fact as it lies on the topic. */
export function orderMessage(topic: string, input: OrderFactInput): FactMessage {
  const { merchantId, orderId = randomUUID(), version = 1, type = 'order.created', isTest = true } = input
  const fact = OrderFact.fromPartial({
    ...input.fact,
    order: {
      id: orderId,
      merchant_id: merchantId,
      is_test: isTest,
      source: 'api',
      external_order_id: `x-${orderId}`,
      status: 'pending',
      unified_json: JSON.stringify({ schema_version: '1', status: 'pending', raw_payload: {}, standardized: {} }),
      tracking_token: 'AAAAAAAAAAAAAAAAAAAAAA',
      version,
      ...input.order,
    },
  })
  return {
    topic,
    key: orderId,
    payload: Buffer.from(OrderFact.encode(fact).finish()),
    headers: {
      ...cloudEvent(orderId, type, version, merchantId, isTest, input.time ?? new Date()),
      ...(input.traceparent && { traceparent: input.traceparent }),
    },
  }
}

/** The headers of a fact. */
export function cloudEvent(
  aggregateId: string,
  type: string,
  version: number,
  merchantId: string | null,
  isTest: boolean,
  time: Date,
): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: eventIdOf(aggregateId, type, version),
    ce_type: type,
    ce_source: 'order',
    ce_time: time.toISOString(),
    ce_aggregateversion: String(version),
    ...(merchantId !== null && { ce_merchantid: merchantId }),
    ce_istest: String(isTest),
  }
}
