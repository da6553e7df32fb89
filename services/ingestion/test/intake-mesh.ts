import { createHmac, randomUUID } from 'node:crypto'
import type { PutChannelSettingsRequest } from '@svc/contracts/ingestion/v1/channel_service'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller } from '@svc/testing'
import { signUp, startAdmin } from '../../admin/test/start-admin.ts'
import { orderMesh } from '../../order/test/order-mesh.ts'
import type { Context } from '../src/context.ts'
import { startIngestion } from './start-ingestion.ts'

export type IntakeMesh = Awaited<ReturnType<typeof intakeMesh>>

/** A merchant whose shops are connected. */
export interface Shop {
  merchantId: string
  domain: string
  secret: string
}

export interface SentHook {
  body: Buffer | string
  topic?: string
  secret?: string
  /** Beside those of the channel. */
  headers?: Record<string, string>
  /** Signers of whom nothing more is taken for now. */
  exhausted?: string[]
}

/** Ingestion with a real admin and a real order service, and merchants with connected shops. */
export async function intakeMesh(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const admin = await startAdmin()
  const orders = await orderMesh({ REQUIRE_KYB_FOR_ORDERS: 'false' })
  const addresses = {
    ADMIN_GRPC_ADDRESS: admin.service.address(),
    ORDER_GRPC_ADDRESS: orders.service.address(),
  }
  const ingestion = await startIngestion({ ...addresses, ...settings }, overrides)

  async function put(shop: Pick<Shop, 'merchantId'>, channel: string, change: Partial<PutChannelSettingsRequest>) {
    const owner = merchantCaller({ merchantId: shop.merchantId, isTest: false })
    await ingestion.channels.as(owner).putChannelSettings({ channel, clear_fields: [], ...change })
  }

  async function merchant(): Promise<string> {
    const { merchantId } = await signUp(admin)
    return ingestion.knownMerchant(merchantId)
  }

  return {
    ingestion,
    addresses,
    put,
    /** One that admin knows. */
    merchant,
    /** A merchant that admin knows, with both storefronts connected. */
    async shop(): Promise<Shop> {
      const merchantId = await merchant()
      const shop = { merchantId, domain: `${randomUUID()}.example.com`, secret: `secret-of-${randomUUID()}` }
      const pickup = { address: '12 Marina Road, Lagos' }
      const connected = { secret: shop.secret, pickup, lead_minutes: 90, window_minutes: 120 }
      await put(shop, 'storefront-a', { ...connected, shop_domain: shop.domain })
      await put(shop, 'storefront-b', connected)
      return shop
    },
    storefrontA(
      { domain, secret }: Shop,
      { body, topic = 'orders/create', secret: other, headers = {}, exhausted = [] }: SentHook,
    ) {
      const bytes = Buffer.from(body)
      const sent = {
        'x-storefront-a-hmac-sha256': hmac(other ?? secret, bytes),
        'x-storefront-a-shop-domain': domain,
        'x-storefront-a-topic': topic,
        'x-storefront-a-webhook-id': randomUUID(),
        ...headers,
      }
      return receive({ channel: 'storefront-a', headers: sent, body: bytes, exhausted })
    },
    storefrontB(
      { merchantId, secret }: Shop,
      { body, topic = 'order.created', secret: other, headers = {} }: SentHook,
    ) {
      const bytes = Buffer.from(body)
      const sent = {
        'x-storefront-b-signature': hmac(other ?? secret, bytes),
        'x-storefront-b-topic': topic,
        'x-storefront-b-delivery-id': randomUUID(),
        ...headers,
      }
      return receive({ channel: 'storefront-b', merchantId, headers: sent, body: bytes })
    },
    receive,
    /** The job of a hook once it is no longer pending. */
    judged: (id: string | undefined) =>
      eventually(async () => {
        const [job] = await ingestion.sql<Judged>(
          `SELECT status, error, field, outcome, order_id, attempts FROM normalization_jobs WHERE id = $1 AND status <> 'pending'`,
          [id],
        )
        return job ?? false
      }),
    orders: (merchantId: string, isTest: Caller['isTest'] = false) =>
      orders.orders(merchantCaller({ merchantId, isTest, scopes: ['orders:read', 'orders:write'] })),
    async ordersOf(merchantId: string) {
      const owner = merchantCaller({ merchantId, isTest: null })
      return (await orders.orders(owner).listOrders({ limit: 200, offset: 0 })).orders
    },
    async stop() {
      await ingestion.stop()
      await orders.stop()
      await admin.stop()
    },
  }

  function receive({ channel, merchantId, headers, body, exhausted = [] }: Posted) {
    return ingestion.anyone().receiveHook({
      channel,
      merchant_id: merchantId,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body,
      exhausted_signers: exhausted,
    })
  }
}

interface Posted {
  channel: string
  merchantId?: string
  headers: Record<string, string>
  body: Buffer
  exhausted?: string[]
}

interface Judged {
  status: string
  error: string | null
  field: string | null
  outcome: string | null
  order_id: string | null
  attempts: number
}

const hmac = (secret: string, body: Buffer): string => createHmac('sha256', secret).update(body).digest('base64')
