import type { Caller } from '@svc/grpc'
import { auditOf, type Fact } from '@svc/transact'
import type { Channel } from './channels/channel.ts'
import type { DeadLetter } from './db/dead-letters.ts'
import type { NormalizationJob } from './db/normalization-jobs.ts'
import type { ChannelSettings } from './domain/channel-settings.ts'
import type { CloudAsset } from './domain/cloud-asset.ts'
import type { Hook } from './domain/hook.ts'
import { channelSettingsMessage } from './messages/channel-settings.ts'

/** A hook is handed on for the n-th time, which is the version of the fact; with its signature, for others to verify. */
export function hookReceived(
  { signatureHeader }: Pick<Channel, 'signatureHeader'>,
  hook: Hook,
  attempt: number,
): Fact<'ingestion.hook_received'> {
  return {
    type: 'ingestion.hook_received',
    aggregateId: hook.id,
    aggregateVersion: attempt,
    merchantId: hook.pathMerchantId,
    isTest: false,
    payload: {
      hook_id: hook.id,
      channel: hook.channel,
      merchant_id: hook.pathMerchantId ?? undefined,
      signed_by_platform: hook.signer === 'platform',
      event: hook.event,
      body: hook.body,
      received_at: hook.receivedAt.toISOString(),
      signature: hook.headers[signatureHeader],
    },
  }
}

interface DeadLetterAct {
  before: DeadLetter
  after: DeadLetter
  /** The operator's. */
  reason?: string
}

/** The audit row of a dead letter that an operator hands on again, or ends. */
export function deadLetterAudit(
  caller: Caller,
  action: 'ingestion_dead_letter.retry' | 'ingestion_dead_letter.end',
  { before, after, reason }: DeadLetterAct,
) {
  return auditOf(caller, {
    action,
    resourceType: 'ingestion_dead_letter',
    resourceId: after.id,
    merchantId: after.merchantId,
    isTest: false,
    before: { status: before.status, attempts: before.attempts },
    after: { status: after.status, attempts: after.attempts, ...(reason !== undefined && { reason }) },
  })
}

/** The audit row of a job that an operator begins anew. */
export function normalizationRetryAudit(caller: Caller, before: NormalizationJob, after: NormalizationJob) {
  return auditOf(caller, {
    action: 'normalization_job.retry',
    resourceType: 'normalization_job',
    resourceId: after.id,
    merchantId: after.merchantId,
    isTest: false,
    before: { status: before.status, attempts: before.attempts },
    after: { status: after.status, attempts: after.attempts },
  })
}

/** The audit row of a change of a merchant's channel; of its secret it says only whether it exists. */
export function channelAudit(
  caller: Caller,
  { channel, merchantId }: { channel: string; merchantId: string },
  before: ChannelSettings,
  after: ChannelSettings,
) {
  const shown = (settings: ChannelSettings) => ({ ...channelSettingsMessage(channel, settings), updated_at: undefined })
  return auditOf(caller, {
    action: 'merchant.ingestion_channel_put',
    resourceType: 'ingestion_channel',
    resourceId: channel,
    merchantId,
    isTest: false,
    before: shown(before),
    after: shown(after),
  })
}

/** The audit row of a phone number that a merchant has connected at the messaging app's cloud. */
export function cloudConnectAudit(caller: Caller, merchantId: string, before: CloudAsset | null, after: CloudAsset) {
  const told = ({ wabaId, phoneNumberId }: CloudAsset) => ({ waba_id: wabaId, phone_number_id: phoneNumberId })
  return auditOf(caller, {
    action: 'merchant.messaging_app_connect',
    resourceType: 'messaging_app_number',
    resourceId: after.phoneNumberId,
    merchantId,
    isTest: false,
    ...(before && { before: told(before) }),
    after: told(after),
  })
}
