import type { RecordProofOfDeliveryRequest } from '@svc/contracts/order/v1/fulfilment_service'
import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { intentKind, PROGRESS, recordProgress } from '../use-cases/progress/record-progress.ts'
import { PROOF_INTENT, recordProof } from '../use-cases/proof/record-proof.ts'

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Pick<Context, 'fulfilment'>): Record<string, IntentCall> {
  const progress = PROGRESS.map((one): [string, IntentCall] => [
    intentKind(one),
    (intent) => recordProgress(ctx(), intent),
  ])
  return {
    ...Object.fromEntries(progress),
    [PROOF_INTENT]: ({ payload }) => recordProof(ctx(), payload as RecordProofOfDeliveryRequest),
  }
}
