import { randomUUID } from 'node:crypto'
import { type Withdrawal, WithdrawalFact } from '@svc/contracts/wallet/v1/payout'
import { TopupFact } from '@svc/contracts/wallet/v1/topup_service'
import type { FactMessage } from '@svc/kafka'
import { cloudEvent, type TestWebhook } from './start-webhook.ts'

const topicOf = ({ env }: TestWebhook) => `${env['TOPIC_PREFIX']}svc.wallet.v1`

/** One step of a withdrawal as it lies on the topic; where no merchant is named it is a rider's. */
export function withdrawalMessage(
  service: TestWebhook,
  input: {
    id: string
    version: number
    type: string
    merchantId?: string
    isTest?: boolean
    withdrawal?: Partial<Withdrawal>
  },
): FactMessage {
  const { id, version, type, merchantId = null, isTest = false } = input
  const fact = WithdrawalFact.fromPartial({
    withdrawal: {
      id,
      owner_type: merchantId === null ? 'rider' : 'merchant',
      owner_id: merchantId ?? randomUUID(),
      amount_minor: 250_000,
      currency: 'NGN',
      status: type === 'withdrawal.requested' ? 'pending_review' : type.slice('withdrawal.'.length),
      payout_instrument_id: randomUUID(),
      account_last4: '6789',
      bank_code: '058',
      created_at: '2026-11-21T10:00:00.000Z',
      ...input.withdrawal,
    },
  })
  const headers = cloudEvent(id, type, version, merchantId, isTest, new Date())
  return { topic: topicOf(service), key: id, payload: Buffer.from(WithdrawalFact.encode(fact).finish()), headers }
}

/** A credited top-up as it lies on the topic: its ledger operation is the aggregate. */
export function topupMessage(service: TestWebhook, topup: TopupFact, options: { isTest?: boolean } = {}): FactMessage {
  const id = randomUUID()
  const type = 'wallet.topup_credited'
  const headers = cloudEvent(id, type, 1, topup.merchant_id, options.isTest ?? false, new Date())
  return { topic: topicOf(service), key: id, payload: Buffer.from(TopupFact.encode(topup).finish()), headers }
}
