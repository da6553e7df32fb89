import { MerchantFact } from './gen/svc/admin/v1/merchant.ts'
import { AuditRecorded } from './gen/svc/common/v1/audit.ts'
import { RiderFact } from './gen/svc/dispatch/v1/rider.ts'
import { HookFact, HookJudgement } from './gen/svc/ingestion/v1/hook.ts'
import { OrderFact } from './gen/svc/order/v1/order.ts'
import { SandboxClockFact } from './gen/svc/order/v1/simulator_service.ts'
import { BillingFact } from './gen/svc/wallet/v1/billing_service.ts'
import { CashFact } from './gen/svc/wallet/v1/cash.ts'
import { PayoutInstrumentFact, WithdrawalFact } from './gen/svc/wallet/v1/payout.ts'
import { TopupFact } from './gen/svc/wallet/v1/topup_service.ts'
import { CommissionFact } from './gen/svc/wallet/v1/wallet.ts'

/** Every topic of the mesh, one per service, without the prefix of a deployment. */
export const TOPICS = [
  'svc.admin.v1',
  'svc.dispatch.v1',
  'svc.ingestion.v1',
  'svc.order.v1',
  'svc.wallet.v1',
  'svc.webhook.v1',
] as const

export type Topic = (typeof TOPICS)[number]

interface Codec {
  encode(message: never): { finish(): Uint8Array }
  decode(bytes: Uint8Array): unknown
}

/** Where facts of a kind are announced, what they are about (their aggregate), and what they carry. */
interface Row {
  topic: Topic | 'every topic'
  subject: string
  message: Codec
}

const ofMerchant = { topic: 'svc.admin.v1', subject: 'merchant', message: MerchantFact } as const
const ofOrder = { topic: 'svc.order.v1', subject: 'order', message: OrderFact } as const
const ofRider = { topic: 'svc.dispatch.v1', subject: 'rider', message: RiderFact } as const
const ofCommission = { topic: 'svc.wallet.v1', subject: 'wallet_operation', message: CommissionFact } as const
const ofWithdrawal = { topic: 'svc.wallet.v1', subject: 'withdrawal', message: WithdrawalFact } as const

/** Every fact of the mesh by its name. A name, and what it says here, never changes once it is released. */
export const facts = {
  'audit.recorded': { topic: 'every topic', subject: 'audit', message: AuditRecorded },

  'merchant.created': ofMerchant,
  'merchant.updated': ofMerchant,

  'order.created': ofOrder,
  'order.status_updated': ofOrder,
  'order.rider_assigned': ofOrder,
  'order.accepted': ofOrder,
  'order.picked_up': ofOrder,
  'order.delivered': ofOrder,
  'order.cancelled': ofOrder,
  'order.rider_arrived_pickup': ofOrder,
  'order.rider_arrived_dropoff': ofOrder,
  'order.eta_changed': ofOrder,
  'dispatch.delayed': ofOrder,
  'dispatch.exhausted': ofOrder,

  'sandbox.clock_advanced': { topic: 'svc.order.v1', subject: 'sandbox_clock', message: SandboxClockFact },

  'rider.created': ofRider,
  'rider.updated': ofRider,

  'ingestion.hook_received': { topic: 'svc.ingestion.v1', subject: 'hook', message: HookFact },

  'wallet.hook_judged': { topic: 'svc.wallet.v1', subject: 'hook', message: HookJudgement },
  'wallet.topup_credited': { topic: 'svc.wallet.v1', subject: 'wallet_operation', message: TopupFact },
  'wallet.commission_settled': ofCommission,
  'wallet.commission_held': ofCommission,
  'wallet.commission_returned': ofCommission,
  'wallet.cash_changed': { topic: 'svc.wallet.v1', subject: 'cash_account', message: CashFact },
  'payout_instrument.changed': {
    topic: 'svc.wallet.v1',
    subject: 'payout_instrument_change',
    message: PayoutInstrumentFact,
  },
  'withdrawal.requested': ofWithdrawal,
  'withdrawal.approved': ofWithdrawal,
  'withdrawal.processing': ofWithdrawal,
  'withdrawal.paid': ofWithdrawal,
  'withdrawal.failed': ofWithdrawal,
  'withdrawal.rejected': ofWithdrawal,
  'withdrawal.cancelled': ofWithdrawal,
  'billing.status_changed': { topic: 'svc.wallet.v1', subject: 'billing', message: BillingFact },
} as const satisfies Record<string, Row>

type Facts = typeof facts
export type FactName = keyof Facts
/** What facts of this name carry. */
export type PayloadOf<N extends FactName> = ReturnType<Facts[N]['message']['decode']>
type Subject = Facts[FactName]['subject']
type NameAbout<S extends Subject> = { [N in FactName]: Facts[N]['subject'] extends S ? N : never }[FactName]

/** The names of all facts about a subject, for consumers that need every version of an aggregate. */
export function factsAbout<S extends Subject>(subject: S): Array<NameAbout<S>> {
  const names = Object.keys(facts) as FactName[]
  return names.filter((name) => facts[name].subject === subject) as Array<NameAbout<S>>
}

/** The topics on which facts of this name are announced. */
export function topicsOf(name: FactName): readonly Topic[] {
  const { topic } = facts[name]
  return topic === 'every topic' ? TOPICS : [topic]
}

/** The bytes of a fact, as outboxes and Kafka hold them. */
export function encodeFact<N extends FactName>(name: N, payload: PayloadOf<N>): Buffer {
  const { message } = facts[name] as Row
  return Buffer.from(message.encode(payload as never).finish())
}

/** What the bytes of a fact say; throws where they are no message of its kind. */
export function decodeFact<N extends FactName>(name: N, bytes: Uint8Array): PayloadOf<N> {
  return facts[name].message.decode(bytes) as PayloadOf<N>
}
