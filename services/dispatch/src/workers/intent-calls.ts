import type { RecordProofOfDeliveryRequest } from '@svc/contracts/order/v1/fulfilment_service'
import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { intentKind, PROGRESS, recordProgress } from '../use-cases/progress/record-progress.ts'
import { PROOF_INTENT, recordProof } from '../use-cases/proof/record-proof.ts'
import { REVOKE_TOKENS, revokeTokens } from '../use-cases/riders/end-tokens.ts'
import { finishMove, MOVE_INTENT } from '../use-cases/riders/finish-move.ts'
import { NOTICE_INTENT, sendRiderNotice } from '../use-cases/riders/send-rider-notice.ts'
import { SOS, sendAlarm } from '../use-cases/sos/alarm.ts'

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context): Record<string, IntentCall> {
  const progress = PROGRESS.map((one): [string, IntentCall] => [
    intentKind(one),
    (intent) => recordProgress(ctx(), intent),
  ])
  return {
    ...Object.fromEntries(progress),
    [PROOF_INTENT]: ({ payload }) => recordProof(ctx(), payload as RecordProofOfDeliveryRequest),
    [NOTICE_INTENT]: (intent) => sendRiderNotice(ctx(), intent),
    [REVOKE_TOKENS]: (intent) => revokeTokens(ctx(), intent),
    [MOVE_INTENT]: ({ payload }) => finishMove(ctx(), payload as Parameters<typeof finishMove>[1]),
  }
}

/** Those that wait behind no other. */
export function alarmCalls(ctx: () => Pick<Context, 'messenger'>): Record<string, IntentCall> {
  return { [SOS]: (intent) => sendAlarm(ctx(), intent) }
}
