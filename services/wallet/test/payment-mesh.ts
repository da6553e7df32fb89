import { randomUUID } from 'node:crypto'
import { HookFact, HookJudgement } from '@svc/contracts/ingestion/v1/hook'
import type { Caller } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { signHook } from '@svc/payments'
import {
  eventually,
  merchantCaller,
  type ReceivedRequest,
  type Reply,
  receiver,
  TEST_SECRET,
  testServers,
} from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import { createProviders } from '../../../deploy/local/src/providers/server.ts'
import { signUp, startAdmin } from '../../admin/test/start-admin.ts'
import type { Context } from '../src/context.ts'
import { startWallet } from './start-wallet.ts'

export type PaymentMesh = Awaited<ReturnType<typeof paymentMesh>>

/** A hook as ingestion hands it on. */
interface HandedOn {
  hookId?: string
  version?: number
  merchantId?: string
  /** Null: without a signature. */
  signature?: string | null
  /** When it came in; unless said, now. */
  receivedAt?: Date
}

interface Delivery {
  status: number
  body: string
}

/** What a payment is of, unless said otherwise: the least that can be topped up. */
export const AMOUNT = 600_000

export const PREVIOUS_KEY = 'sk_live_before_the_change'

/** A well-formed signature that our key has not made. */
export const FOREIGN_SIGNATURE = signHook('sk_live_of_a_merchant', Buffer.from('x'))

/** What the provider says when a payer has paid. */
export const paid = (reference: string, changes: Record<string, unknown> = {}) => ({
  event: 'charge.success',
  data: { reference, domain: 'live', status: 'success', amount: AMOUNT, currency: 'NGN', metadata: '', ...changes },
})

/** An event as the provider tells it in live mode, unless it says otherwise; a list and an identification state no mode. */
function live(event: { event?: string; data?: unknown }): object {
  const { data } = event
  if (event.event?.startsWith('customeridentification.')) return event
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return event
  return { ...event, data: { domain: 'live', ...data } }
}

const SECRET_KEY = 'sk_live_of_the_payment_provider'

/**
 * The wallet with the real admin service and the double of the payment provider, whose hooks reach it as ingestion would
 * hand them on. Nothing is swept unless the settings say so.
 */
export async function paymentMesh(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const platform = await receiver()
  const providers = createProviders({ platformUrl: platform.url, paymentsSecretKey: SECRET_KEY })
  await providers.start()
  const admin = await startAdmin()
  const prefix = admin.env['TOPIC_PREFIX'] as string
  const { kafkaBrokers } = await testServers()
  const environment = {
    TOPIC_PREFIX: prefix,
    ADMIN_GRPC_ADDRESS: admin.service.address(),
    CALLER_SECRET_WALLET_ADMIN: TEST_SECRET,
    PAYMENTS_API_URL: `${providers.url()}/payments-a`,
    PAYMENTS_SECRET_KEY: SECRET_KEY,
    PAYMENTS_PREVIOUS_SECRET_KEY: PREVIOUS_KEY,
    PAYMENT_SWEEP_INTERVAL_MS: '1h',
    ...settings,
  }
  let crashing: string | null = null
  const failpoint = (name: string): void => {
    if (name !== crashing) return
    crashing = null
    throw new Error(`died at ${name}`)
  }
  const wallet = await startWallet(environment, { failpoint, ...overrides })
  const producer = kafkaProducer({ brokers: kafkaBrokers, clientId: 'test' })

  /** Hands a hook on as ingestion does; returns its id. */
  async function handOn(body: Buffer | string | object, how: HandedOn = {}): Promise<string> {
    const { hookId = randomUUID(), version = 1, merchantId } = how
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(live(body)))
    const { signature = signHook(SECRET_KEY, bytes) } = how
    const type = 'ingestion.hook_received'
    const fact = HookFact.fromPartial({
      hook_id: hookId,
      channel: 'payments-a',
      merchant_id: merchantId,
      // Any writer of the topic can claim that.
      signed_by_platform: true,
      signature: signature ?? undefined,
      body: bytes,
      received_at: (how.receivedAt ?? new Date()).toISOString(),
    })
    const headers = {
      ce_specversion: '1.0',
      ce_id: eventIdOf(hookId, type, version),
      ce_type: type,
      ce_source: 'ingestion',
      ce_time: new Date().toISOString(),
      ce_aggregateversion: String(version),
      ce_istest: 'false',
      ...(merchantId && { ce_merchantid: merchantId }),
    }
    const payload = Buffer.from(HookFact.encode(fact).finish())
    await producer.send([{ topic: `${prefix}svc.ingestion.v1`, key: hookId, payload, headers }])
    return hookId
  }

  async function receive({ path, body }: ReceivedRequest): Promise<Reply> {
    const route = path.split('/').pop()
    return { body: await handOn(body, route === 'platform' ? {} : { merchantId: route }) }
  }
  platform.respond(receive)

  async function control<T>(path: string, order: object): Promise<T> {
    const answer = await fetch(`${providers.url()}/__control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  return {
    admin,
    wallet,
    environment: wallet.environment,
    /** What happens here instead of handing hooks on. */
    receive: (respond: (request: ReceivedRequest) => Promise<Reply>) => platform.respond(respond),
    handOn,
    control,
    /** The next one who comes there dies. */
    crashAt: (name: string) => {
      crashing = name
    },
    /** What the provider does wrong with the next request of this kind. */
    fault: (mode: string, path: string, more: object = {}) =>
      control('faults', { provider: 'payments-a', match: { path }, mode, ...more }),
    topups: (caller: Caller) => wallet.topups.as(caller),
    /** A merchant that has signed up, with its live key. */
    async merchant(): Promise<{ id: string; email: string; caller: Caller }> {
      const { merchantId, email } = await signUp(admin)
      return { id: merchantId, email, caller: merchantCaller({ merchantId, isTest: false }) }
    },
    /** Lets a payment come out; returns the ids of the hooks that told of it. */
    async charge(reference: string, order: object): Promise<string[]> {
      const { deliveries } = await control<{ deliveries: Delivery[] }>(`charges/${reference}`, order)
      return deliveries.map(({ body }) => body)
    },
    /** Requests of the provider's API with this method and path, below its prefix. */
    async asked(method: string, path: string): Promise<Array<{ body: Record<string, unknown> }>> {
      const answer = await fetch(`${providers.url()}/__control/requests`)
      const { requests } = (await answer.json()) as {
        requests: Array<{ method: string; path: string; body: Record<string, unknown> }>
      }
      return requests.filter((request) => request.method === method && request.path === path)
    },
    /** What was announced of a hook, as soon as it is. */
    judgement: (hookId: string, version = 1): Promise<HookJudgement> =>
      eventually(async () => {
        const [row] = await wallet.sql<{ payload: Buffer }>(
          `SELECT payload FROM outbox WHERE aggregate_id = $1 AND aggregate_version = $2 AND type = 'wallet.hook_judged'`,
          [hookId, version],
        )
        return row ? HookJudgement.decode(row.payload) : null
      }),
    async balanceOf(merchantId: string): Promise<number> {
      const [row] = await wallet.sql<{ balance_minor: number }>(
        `SELECT balance_minor FROM accounts WHERE owner_id = $1 AND purpose = 'available' AND NOT is_test`,
        [merchantId],
      )
      return row?.balance_minor ?? 0
    },
    async stop() {
      await wallet.stop()
      await producer.stop()
      await admin.stop()
      await providers.stop()
      await platform.close()
    },
  }
}
