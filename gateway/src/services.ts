import { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
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
import { type Caller, type Client, grpcClient, type Promised } from '@svc/grpc'

/** Where each service listens, and the secret with which the gateway signs its calls to it. */
export interface Upstream {
  address: string
  secret: string
}

export type Upstreams = Record<'order' | 'dispatch' | 'wallet' | 'ingestion' | 'webhook' | 'admin', Upstream>

export interface Clients {
  order: Client<typeof OrderServiceService>
  simulator: Client<typeof SimulatorServiceService>
  fulfilment: Client<typeof FulfilmentServiceService>
  assignment: Client<typeof AssignmentServiceService>
  rider: Client<typeof RiderServiceService>
  fleet: Client<typeof FleetServiceService>
  position: Client<typeof PositionServiceService>
  place: Client<typeof PlaceServiceService>
  pricing: Client<typeof PricingServiceService>
  proof: Client<typeof ProofServiceService>
  wallet: Client<typeof WalletServiceService>
  commission: Client<typeof CommissionServiceService>
  topup: Client<typeof TopupServiceService>
  payout: Client<typeof PayoutServiceService>
  billing: Client<typeof BillingServiceService>
  hook: Client<typeof HookServiceService>
  channel: Client<typeof ChannelServiceService>
  outboundWebhook: Client<typeof OutboundWebhookServiceService>
  delivery: Client<typeof DeliveryServiceService>
  event: Client<typeof EventServiceService>
  credential: Client<typeof CredentialServiceService>
  apiKey: Client<typeof ApiKeyServiceService>
  merchant: Client<typeof MerchantServiceService>
  operator: Client<typeof OperatorServiceService>
}

/** One client per service definition; those of one process share its connection. */
export function createClients({ order, dispatch, wallet, ingestion, webhook, admin }: Upstreams): Clients {
  const from = 'gateway'
  return {
    order: grpcClient(OrderServiceService, { ...order, from, to: 'order' }),
    simulator: grpcClient(SimulatorServiceService, { ...order, from, to: 'order' }),
    fulfilment: grpcClient(FulfilmentServiceService, { ...order, from, to: 'order' }),
    assignment: grpcClient(AssignmentServiceService, { ...dispatch, from, to: 'dispatch' }),
    rider: grpcClient(RiderServiceService, { ...dispatch, from, to: 'dispatch' }),
    fleet: grpcClient(FleetServiceService, { ...dispatch, from, to: 'dispatch' }),
    position: grpcClient(PositionServiceService, { ...dispatch, from, to: 'dispatch' }),
    place: grpcClient(PlaceServiceService, { ...dispatch, from, to: 'dispatch' }),
    pricing: grpcClient(PricingServiceService, { ...dispatch, from, to: 'dispatch' }),
    proof: grpcClient(ProofServiceService, { ...dispatch, from, to: 'dispatch' }),
    wallet: grpcClient(WalletServiceService, { ...wallet, from, to: 'wallet' }),
    commission: grpcClient(CommissionServiceService, { ...wallet, from, to: 'wallet' }),
    topup: grpcClient(TopupServiceService, { ...wallet, from, to: 'wallet' }),
    payout: grpcClient(PayoutServiceService, { ...wallet, from, to: 'wallet' }),
    billing: grpcClient(BillingServiceService, { ...wallet, from, to: 'wallet' }),
    hook: grpcClient(HookServiceService, { ...ingestion, from, to: 'ingestion' }),
    channel: grpcClient(ChannelServiceService, { ...ingestion, from, to: 'ingestion' }),
    outboundWebhook: grpcClient(OutboundWebhookServiceService, { ...webhook, from, to: 'webhook' }),
    delivery: grpcClient(DeliveryServiceService, { ...webhook, from, to: 'webhook' }),
    event: grpcClient(EventServiceService, { ...webhook, from, to: 'webhook' }),
    credential: grpcClient(CredentialServiceService, { ...admin, from, to: 'admin' }),
    apiKey: grpcClient(ApiKeyServiceService, { ...admin, from, to: 'admin' }),
    merchant: grpcClient(MerchantServiceService, { ...admin, from, to: 'admin' }),
    operator: grpcClient(OperatorServiceService, { ...admin, from, to: 'admin' }),
  }
}

type Bound<K extends keyof Clients> = Clients[K] extends Client<infer Definition> ? Promised<Definition> : never

/** The services as one request may call them: as its caller, until its deadline. */
export class Services {
  readonly #clients: Clients
  readonly #caller: Caller
  readonly #endsAtMs: number

  constructor(clients: Clients, caller: Caller, endsAtMs: number) {
    this.#clients = clients
    this.#caller = caller
    this.#endsAtMs = endsAtMs
  }

  /** The same services, for a call that shall not take longer than this. */
  within(ms: number): Services {
    return new Services(this.#clients, this.#caller, Math.min(this.#endsAtMs, Date.now() + ms))
  }

  get order(): Bound<'order'> {
    return this.#bind('order')
  }
  get simulator(): Bound<'simulator'> {
    return this.#bind('simulator')
  }
  get fulfilment(): Bound<'fulfilment'> {
    return this.#bind('fulfilment')
  }
  get assignment(): Bound<'assignment'> {
    return this.#bind('assignment')
  }
  get rider(): Bound<'rider'> {
    return this.#bind('rider')
  }
  get fleet(): Bound<'fleet'> {
    return this.#bind('fleet')
  }
  get position(): Bound<'position'> {
    return this.#bind('position')
  }
  get place(): Bound<'place'> {
    return this.#bind('place')
  }
  get pricing(): Bound<'pricing'> {
    return this.#bind('pricing')
  }
  get proof(): Bound<'proof'> {
    return this.#bind('proof')
  }
  get wallet(): Bound<'wallet'> {
    return this.#bind('wallet')
  }
  get commission(): Bound<'commission'> {
    return this.#bind('commission')
  }
  get topup(): Bound<'topup'> {
    return this.#bind('topup')
  }
  get payout(): Bound<'payout'> {
    return this.#bind('payout')
  }
  get billing(): Bound<'billing'> {
    return this.#bind('billing')
  }
  get hook(): Bound<'hook'> {
    return this.#bind('hook')
  }
  get channel(): Bound<'channel'> {
    return this.#bind('channel')
  }
  get outboundWebhook(): Bound<'outboundWebhook'> {
    return this.#bind('outboundWebhook')
  }
  get delivery(): Bound<'delivery'> {
    return this.#bind('delivery')
  }
  get event(): Bound<'event'> {
    return this.#bind('event')
  }
  get credential(): Bound<'credential'> {
    return this.#bind('credential')
  }
  get apiKey(): Bound<'apiKey'> {
    return this.#bind('apiKey')
  }
  get merchant(): Bound<'merchant'> {
    return this.#bind('merchant')
  }
  get operator(): Bound<'operator'> {
    return this.#bind('operator')
  }

  #bind<K extends keyof Clients>(name: K): Bound<K> {
    const deadlineMs = Math.max(1, this.#endsAtMs - Date.now())
    return this.#clients[name].as(this.#caller, { deadlineMs }) as Bound<K>
  }
}
