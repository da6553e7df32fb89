import { AccountServiceService } from '@svc/contracts/admin/v1/account_service'
import { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { AuditServiceService } from '@svc/contracts/admin/v1/audit_service'
import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { InquiryServiceService } from '@svc/contracts/admin/v1/inquiry_service'
import { KybServiceService } from '@svc/contracts/admin/v1/kyb_service'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { SignOnServiceService } from '@svc/contracts/admin/v1/sign_on_service'
import { SystemServiceService } from '@svc/contracts/admin/v1/system_service'
import { WorkspaceGrantServiceService } from '@svc/contracts/admin/v1/workspace_grant_service'
import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PlaceServiceService } from '@svc/contracts/dispatch/v1/place_service'
import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { FleetServiceService, RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { ChannelServiceService } from '@svc/contracts/ingestion/v1/channel_service'
import { CloudServiceService } from '@svc/contracts/ingestion/v1/cloud_service'
import { HookServiceService } from '@svc/contracts/ingestion/v1/hook_service'
import { NormalizationServiceService } from '@svc/contracts/ingestion/v1/normalization_service'
import { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { ShipmentServiceService } from '@svc/contracts/order/v1/shipment_service'
import { SimulatorServiceService } from '@svc/contracts/order/v1/simulator_service'
import { BillingServiceService } from '@svc/contracts/wallet/v1/billing_service'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import { TopupServiceService } from '@svc/contracts/wallet/v1/topup_service'
import { WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import {
  DeliveryServiceService,
  EventServiceService,
  FaultServiceService,
} from '@svc/contracts/webhook/v1/delivery_service'
import { OutboundWebhookServiceService } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { type Caller, type Client, grpcClient, type Promised, type ServiceDefinition } from '@svc/grpc'

/** Where each service listens, and the secret with which the gateway signs its calls to it. */
export interface Upstream {
  address: string
  secret: string
}

/** What a handler may call: the process that serves it, and its rpcs. */
export const SERVICES = {
  order: ['order', OrderServiceService],
  simulator: ['order', SimulatorServiceService],
  shipment: ['order', ShipmentServiceService],
  fulfilment: ['order', FulfilmentServiceService],
  assignment: ['dispatch', AssignmentServiceService],
  rider: ['dispatch', RiderServiceService],
  fleet: ['dispatch', FleetServiceService],
  position: ['dispatch', PositionServiceService],
  place: ['dispatch', PlaceServiceService],
  pricing: ['dispatch', PricingServiceService],
  proof: ['dispatch', ProofServiceService],
  wallet: ['wallet', WalletServiceService],
  commission: ['wallet', CommissionServiceService],
  topup: ['wallet', TopupServiceService],
  payout: ['wallet', PayoutServiceService],
  billing: ['wallet', BillingServiceService],
  cash: ['wallet', CashServiceService],
  hook: ['ingestion', HookServiceService],
  normalization: ['ingestion', NormalizationServiceService],
  channel: ['ingestion', ChannelServiceService],
  cloud: ['ingestion', CloudServiceService],
  outboundWebhook: ['webhook', OutboundWebhookServiceService],
  delivery: ['webhook', DeliveryServiceService],
  event: ['webhook', EventServiceService],
  fault: ['webhook', FaultServiceService],
  credential: ['admin', CredentialServiceService],
  account: ['admin', AccountServiceService],
  apiKey: ['admin', ApiKeyServiceService],
  merchant: ['admin', MerchantServiceService],
  operator: ['admin', OperatorServiceService],
  audit: ['admin', AuditServiceService],
  signOn: ['admin', SignOnServiceService],
  workspaceGrant: ['admin', WorkspaceGrantServiceService],
  inquiry: ['admin', InquiryServiceService],
  kyb: ['admin', KybServiceService],
  system: ['admin', SystemServiceService],
} as const

type Table = typeof SERVICES
type Name = keyof Table

export type Upstreams = Record<Table[Name][0], Upstream>

export type Clients = { readonly [K in Name]: Client<Table[K][1]> }

/** The services as one request may call them: as its caller, until its deadline. */
export type Services = { readonly [K in Name]: Promised<Table[K][1]> } & {
  /** The same services, for a call that shall not take longer than this. */
  within(ms: number): Services
}

const names = Object.keys(SERVICES) as Name[]

/** One client per service; those of one process share its connection. */
export function createClients(upstreams: Upstreams): Clients {
  const passSecrets = Object.fromEntries(Object.entries(upstreams).map(([name, { secret }]) => [name, secret]))
  return Object.fromEntries(
    names.map((name) => {
      const [to, definition] = SERVICES[name]
      return [name, grpcClient<ServiceDefinition>(definition, { ...upstreams[to], from: 'gateway', to, passSecrets })]
    }),
  ) as unknown as Clients
}

class Bound {
  readonly #clients: Clients
  readonly #caller: Caller
  readonly #endsAtMs: number

  constructor(clients: Clients, caller: Caller, endsAtMs: number) {
    this.#clients = clients
    this.#caller = caller
    this.#endsAtMs = endsAtMs
  }

  within(ms: number): Services {
    return servicesFor(this.#clients, this.#caller, Math.min(this.#endsAtMs, Date.now() + ms))
  }

  to(name: Name): unknown {
    return this.#clients[name].as(this.#caller, { deadlineMs: Math.max(1, this.#endsAtMs - Date.now()) })
  }
}

// On the prototype, once, rather than on the object of each request.
for (const name of names) {
  Object.defineProperty(Bound.prototype, name, {
    get(this: Bound) {
      return this.to(name)
    },
  })
}

/** The services as this caller may call them, until then. */
export const servicesFor = (clients: Clients, caller: Caller, endsAtMs: number): Services =>
  new Bound(clients, caller, endsAtMs) as unknown as Services
