import { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { type GetReadinessResponse, ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PlaceServiceService } from '@svc/contracts/dispatch/v1/place_service'
import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { FleetServiceService, RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { ChannelServiceService } from '@svc/contracts/ingestion/v1/channel_service'
import { HookServiceService } from '@svc/contracts/ingestion/v1/hook_service'
import { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { SimulatorServiceService } from '@svc/contracts/order/v1/simulator_service'
import { BillingServiceService } from '@svc/contracts/wallet/v1/billing_service'
import { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import { TopupServiceService } from '@svc/contracts/wallet/v1/topup_service'
import { WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { DeliveryServiceService, EventServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { OutboundWebhookServiceService } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { type Caller, grpcServer, type Handlers } from '@svc/grpc'
import { TEST_SECRET, testServers, uniquePrefix } from '@svc/testing'
import { type Config, configSchema } from '../src/config.ts'
import { createGateway, type Gateway } from '../src/gateway.ts'
import type { Upstreams } from '../src/services.ts'
import { replies } from './replies.ts'
import { credentialHandlers, type Vault } from './vault.ts'

/** What an upstream was asked, by rpc. */
export interface Asked {
  rpc: string
  request: Record<string, unknown>
  caller: Caller
}

const JUDGING = new Set(['verifyApiKey', 'verifySession', 'getJwks'])

/** The rpcs that were asked, in that order, without those that judge credentials: verdicts are cached for a while. */
export const effectsOf = ({ asked }: Upstream): string[] =>
  asked.map(({ rpc }) => rpc).filter((rpc) => !JUDGING.has(rpc))

export interface Upstream {
  asked: Asked[]
  upstreams: Upstreams
  /** How each service says that it is. */
  readiness: Record<keyof Upstreams, GetReadinessResponse>
  /** In place of `replies`, by rpc: a reply or a refusal. */
  answers: Map<string, object>
  /** Answers come no sooner than this. */
  hold: Promise<unknown>
  /** Ends the process that judges credentials. */
  stopAdmin(): Promise<void>
  stopDispatch(): Promise<void>
  stop(): Promise<void>
}

type Definition = Record<string, { path: string }>

/** Servers of the real definitions that record what they are asked and answer as `replies` says. */
export async function startUpstream(vault: Vault): Promise<Upstream> {
  const asked: Asked[] = []
  const ready = { status: 'ok', checks: { database: 'ok', kafka: 'ok' } }
  const readiness = {
    order: ready,
    dispatch: ready,
    wallet: ready,
    ingestion: ready,
    webhook: ready,
    admin: { ...ready, checks: { ...ready.checks, redis: 'ok' } },
  }
  const upstream = { asked, readiness, answers: new Map(), hold: Promise.resolve() } as unknown as Upstream
  const answering = (definition: Definition, known: Record<string, unknown> = {}) => {
    const handlers: Record<string, unknown> = {}
    for (const rpc of Object.keys(definition)) {
      const handle = (known[rpc] ?? (async () => replies[rpc])) as (request: unknown, call: unknown) => unknown
      handlers[rpc] = async (request: Record<string, unknown>, call: { caller: Caller }) => {
        asked.push({ rpc, request, caller: call.caller })
        await upstream.hold
        const answer = upstream.answers.get(rpc)
        if (answer instanceof Error) throw answer
        return answer ?? handle(request, call)
      }
    }
    return handlers as Handlers<never>
  }
  const serve = async (audience: keyof Upstreams, own: ReadonlyArray<readonly [Definition, Handlers<never>]>) => {
    const options = { host: '127.0.0.1', port: 0, audience, secrets: { gateway: [TEST_SECRET] } }
    const getReadiness = async () => upstream.readiness[audience]
    const services = [...own, [ReadinessServiceService, answering(ReadinessServiceService, { getReadiness })]]
    const server = grpcServer({ ...options, services: services as never })
    await server.start?.()
    return server
  }
  const order = await serve('order', [
    [OrderServiceService, answering(OrderServiceService)],
    [SimulatorServiceService, answering(SimulatorServiceService)],
    [FulfilmentServiceService, answering(FulfilmentServiceService)],
  ])
  const dispatch = await serve('dispatch', [
    [AssignmentServiceService, answering(AssignmentServiceService)],
    [RiderServiceService, answering(RiderServiceService)],
    [FleetServiceService, answering(FleetServiceService)],
    [PositionServiceService, answering(PositionServiceService)],
    [PlaceServiceService, answering(PlaceServiceService)],
    [PricingServiceService, answering(PricingServiceService)],
    [ProofServiceService, answering(ProofServiceService)],
  ])
  const wallet = await serve('wallet', [
    [WalletServiceService, answering(WalletServiceService)],
    [CommissionServiceService, answering(CommissionServiceService)],
    [TopupServiceService, answering(TopupServiceService)],
    [PayoutServiceService, answering(PayoutServiceService)],
    [BillingServiceService, answering(BillingServiceService)],
  ])
  const ingestion = await serve('ingestion', [
    [HookServiceService, answering(HookServiceService)],
    [ChannelServiceService, answering(ChannelServiceService)],
  ])
  const webhook = await serve('webhook', [
    [OutboundWebhookServiceService, answering(OutboundWebhookServiceService)],
    [DeliveryServiceService, answering(DeliveryServiceService)],
    [EventServiceService, answering(EventServiceService)],
  ])
  const admin = await serve('admin', [
    [CredentialServiceService, answering(CredentialServiceService, credentialHandlers(vault))],
    [ApiKeyServiceService, answering(ApiKeyServiceService)],
    [MerchantServiceService, answering(MerchantServiceService)],
    [OperatorServiceService, answering(OperatorServiceService)],
  ])
  const at = (server: { address(): string }) => ({ address: server.address(), secret: TEST_SECRET })
  Object.assign(upstream, {
    upstreams: {
      order: at(order),
      dispatch: at(dispatch),
      wallet: at(wallet),
      ingestion: at(ingestion),
      webhook: at(webhook),
      admin: at(admin),
    },
    stopAdmin: async () => admin.stop?.(),
    stopDispatch: async () => dispatch.stop?.(),
    async stop() {
      await Promise.all([order, dispatch, wallet, ingestion, webhook, admin].map(async (server) => server.stop?.()))
    },
  })
  return upstream
}

export interface Running {
  gateway: Gateway
  url: string
  redisUrl: string
  redisPrefix: string
}

/** A gateway before the upstream. Limits are high unless given, so that only the tests of limits meet them. */
export async function startGateway(upstream: Upstream, overrides: Partial<Config> = {}): Promise<Running> {
  const { redisUrl } = await testServers()
  const address = (name: keyof Upstreams) => upstream.upstreams[name].address
  const generous = Object.keys(configSchema.shape).filter((key) => key.startsWith('rate'))
  const config: Config = {
    ...configSchema.parse({
      redisUrl,
      redisPrefix: uniquePrefix(),
      orderGrpcAddress: address('order'),
      dispatchGrpcAddress: address('dispatch'),
      walletGrpcAddress: address('wallet'),
      ingestionGrpcAddress: address('ingestion'),
      webhookGrpcAddress: address('webhook'),
      adminGrpcAddress: address('admin'),
    }),
    ...Object.fromEntries(generous.map((key) => [key, 100_000])),
    port: 0,
    checkErrors: true,
    ...overrides,
  }
  const gateway = createGateway(config, upstream.upstreams)
  await gateway.start()
  return { gateway, url: `http://${gateway.address()}`, redisUrl: config.redisUrl, redisPrefix: config.redisPrefix }
}
