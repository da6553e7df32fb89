import { randomBytes, randomUUID } from 'node:crypto'
import { type Merchant, MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { ChannelServiceService } from '@svc/contracts/ingestion/v1/channel_service'
import { CloudServiceService } from '@svc/contracts/ingestion/v1/cloud_service'
import { HookFact, HookJudgement } from '@svc/contracts/ingestion/v1/hook'
import { HookServiceService, type ReceiveHookResponse } from '@svc/contracts/ingestion/v1/hook_service'
import type { Caller } from '@svc/grpc'
import { type FactMessage, kafkaConsumer, kafkaProducer } from '@svc/kafka'
import { signHook } from '@svc/payments'
import { adminCaller, eventually, serviceUnderTest, testClient } from '@svc/testing'
import pg from 'pg'
import type { Context } from '../src/context.ts'
import { ingestion as ingestionDefinition } from '../src/service.ts'

export const PLATFORM_SECRET = 'sk_of_the_platform_0123456789'
export const SIGNATURE = 'x-payments-a-signature'

export type TestIngestion = Awaited<ReturnType<typeof startIngestion>>

export interface Announced {
  hook: HookFact
  version: number
  eventId: string
}

const anyone = (): Caller => ({
  kind: 'public',
  isTest: null,
  scopes: [],
  actor: { type: 'system', id: 'public' },
  requestId: randomUUID(),
})

/** The ingestion service in this process, on a database and topics of its own. */
export async function startIngestion(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const { service, start, database, servers, prefix, sql, stop } = await serviceUnderTest(ingestionDefinition, {
    settings: {
      KEY_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
      PAYMENTS_SECRET_KEY: PLATFORM_SECRET,
      // The workers connect all at once at the start, which takes a busy machine longer than callers would wait.
      INGESTION_CONNECT_TIMEOUT: '60s',
      ...settings,
    },
    topics: ['svc.admin.v1', 'svc.wallet.v1', 'svc.ingestion.v1'],
    overrides,
  })
  const brokers = servers.kafkaBrokers
  const [adminTopic, walletTopic] = [`${prefix}svc.admin.v1`, `${prefix}svc.wallet.v1`]
  const producer = kafkaProducer({ brokers, clientId: 'test' })
  const facts: FactMessage[] = []
  const listener = kafkaConsumer({
    brokers,
    clientId: 'test',
    group: `${prefix}test`,
    topics: [`${prefix}svc.ingestion.v1`],
    onMessage: async (fact) => void facts.push(fact),
  })
  await listener.start()
  const link = { address: service.address(), to: 'ingestion' }
  const hooks = testClient(HookServiceService, link)
  const channels = testClient(ChannelServiceService, link)
  const cloud = testClient(CloudServiceService, link)

  async function announce(topic: string, type: string, key: string, version: number, payload: Uint8Array) {
    const eventId = randomUUID()
    const headers = {
      ce_specversion: '1.0',
      ce_id: eventId,
      ce_type: type,
      ce_source: 'test',
      ce_time: new Date().toISOString(),
      ce_aggregateversion: String(version),
      ce_istest: 'false',
    }
    await producer.send([{ topic, key, payload: Buffer.from(payload), headers }])
    return eventId
  }

  return {
    service,
    /** Another replica beside it. */
    start,
    database,
    channels,
    cloud,
    sql,
    anyone: () => hooks.as(anyone()),
    operator: () => hooks.as(adminCaller()),
    hooksAs: (caller: Caller) => hooks.as(caller),
    /** Sends a hook as the provider would. */
    send({ body, secret = PLATFORM_SECRET, merchantId, signature = signHook(secret, body), exhausted = [] }: Sent) {
      const headers = [{ name: SIGNATURE, value: signature }]
      const to = { channel: 'payments-a', merchant_id: merchantId, exhausted_signers: exhausted }
      return hooks.as(anyone()).receiveHook({ ...to, headers, body })
    },
    /** Announces a merchant as admin would, and waits until it is known. */
    async knownMerchant(id: string = randomUUID()): Promise<string> {
      const payload = MerchantFact.encode(MerchantFact.fromPartial({ merchant: { id } })).finish()
      await announce(adminTopic, 'merchant.created', id, 1, payload)
      await eventually(async () => (await sql('SELECT FROM merchants WHERE id = $1', [id])).length === 1)
      return id
    },
    /** Announces what a merchant has become, and waits until that is known. */
    async changedMerchant(id: string, version: number, merchant: Partial<Merchant>): Promise<void> {
      const payload = MerchantFact.encode(MerchantFact.fromPartial({ merchant: { id, ...merchant } })).finish()
      const eventId = await announce(adminTopic, 'merchant.updated', id, version, payload)
      await eventually(async () => (await sql('SELECT FROM inbox WHERE event_id = $1', [eventId])).length === 1)
    },
    /** Announces what became of a hook as the wallet would; answers the id of the fact. */
    judge(hookId: string, version: number, outcome: string, reason?: string): Promise<string> {
      const payload = HookJudgement.encode({ hook_id: hookId, outcome, reason }).finish()
      return announce(walletTopic, 'wallet.hook_judged', hookId, version, payload)
    },
    /** What Kafka has of a hook, in order. */
    announced: (hookId: string): Announced[] =>
      facts
        .filter(({ key }) => key === hookId)
        .map(({ payload, headers }) => ({
          hook: HookFact.decode(payload),
          version: Number(headers['ce_aggregateversion']),
          eventId: headers['ce_id']!,
        })),
    stateOf: async (hookId: string): Promise<string | undefined> =>
      (await sql<{ state: string }>('SELECT state FROM inbound_hooks WHERE id = $1', [hookId]))[0]?.state,
    /** All facts that were announced so far have had their effect. */
    /** Waits until a fact has had its effect here. */
    handled: (eventId: string): Promise<unknown> =>
      eventually(async () => (await sql('SELECT FROM inbox WHERE event_id = $1', [eventId])).length === 1),
    /** As the owner of the tables. */
    async asOwner(text: string): Promise<void> {
      const owner = new pg.Client({ connectionString: database.ownerUrl })
      await owner.connect()
      try {
        await owner.query(text)
      } finally {
        await owner.end()
      }
    },
    async stop() {
      for (const client of [hooks, channels, cloud]) client.close()
      await listener.stop()
      await producer.stop()
      await stop()
    },
  }
}

interface Sent {
  body: Buffer
  secret?: string
  merchantId?: string
  signature?: string
  /** Signers of which nothing more is taken for now. */
  exhausted?: string[]
}

/** A payment that succeeded, of its own reference unless that is given. */
export function chargeBody({
  event = 'charge.success',
  reference = randomUUID(),
  ...data
}: Record<string, unknown> = {}): Buffer {
  return Buffer.from(JSON.stringify({ event, data: { reference, status: 'success', amount: 5_000, ...data } }))
}

/** The id of a hook that was kept. */
export function idOf({ id }: ReceiveHookResponse): string {
  if (id === undefined) throw new Error('the hook was not kept')
  return id
}
