import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const deadLetter = {
  id,
  channel: 'payments-a',
  merchant_id: id,
  status: 'failed',
  attempts: 1,
  error: 'amount_mismatch',
  event: 'charge.success',
  created_at: at,
  resolved_at: at,
}

const normalizationJob = {
  id,
  channel: 'storefront-a',
  merchant_id: id,
  status: 'failed',
  attempts: 1,
  error: 'missing_address',
  order_id: id,
  external_order_id: '820982911946154508',
  created_at: at,
  resolved_at: at,
  fields: ['standardized.dropoff_address'],
}

const attachmentOcrJob = {
  id,
  channel: 'email-a',
  merchant_id: id,
  hook_id: id,
  status: 'failed',
  attempts: 1,
  error: 'not_an_image',
  order_id: id,
  file_name: 'order.png',
  content_type: 'image/png',
  size_bytes: 1_000,
  created_at: at,
  resolved_at: at,
}

const channel = {
  channel: 'storefront-a',
  secret_configured: true,
  updated_at: at,
  shop_domain: 'shop.example.com',
  receiver_phone: '+2348012345678',
  subject_keyword: 'order',
  pickup: { address: '12 Marina Road, Lagos', lat: 6.45, lng: 3.4 },
  lead_minutes: 60,
  window_minutes: 180,
}

const cloudAsset = {
  waba_id: '102289599326934',
  phone_number_id: '1234567890',
  display_phone_number: '+234 803 123 4567',
  verified_name: 'Corner Shop',
}

const cloudStatus = {
  state: 'meta_oauth_pending',
  meta_oauth_pending: true,
  connection: { ...cloudAsset, connected_at: at },
  signup_id: id,
  signup_expires_at: at,
}

export const ingestionReplies = {
  listDeadLetters: { items: [deadLetter], ...page },
  retryDeadLetter: { dead_letter: { ...deadLetter, status: 'retrying' } },
  endDeadLetter: { dead_letter: { ...deadLetter, status: 'resolved', error: 'ended' } },
  previewNormalization: {
    outcome: 'order',
    reason: 'stale',
    field: 'pickup',
    external_order_id: '820982911946154508',
    is_test: false,
    payment_verified: true,
    standardized_json: '{"dropoff_address":"4 Admiralty Way, Lekki"}',
  },
  listAttachmentOcrJobs: { items: [attachmentOcrJob], ...page },
  listNormalizationJobs: { items: [normalizationJob], ...page },
  retryNormalizationJob: { normalization_job: { ...normalizationJob, status: 'pending' } },
  getChannelSettings: { channel_settings: channel },
  putChannelSettings: { channel_settings: channel },
  getCloudStatus: { status: cloudStatus },
  listCloudCandidates: { candidates: [cloudAsset], signup_id: id, signup_expires_at: at },
  exchangeCloudToken: { status: cloudStatus },
  selectCloudAsset: { status: cloudStatus },
  receiveHook: { id, status: 'ignored', reason: 'unknown_event', signer: 'platform' },
  getCloudSdkConfig: { app_id: '100', config_id: '200', api_version: 'v21.0' },
} satisfies Partial<RpcReplies>
