import type { RpcReplies } from '../rpc-replies.ts'
import { order } from './order.ts'
import { at } from './pieces.ts'
import { otp } from './rider.ts'

export const proofReplies = {
  requestPodOtp: { otp },
  verifyPodOtp: { order },
  presignPodPhoto: {
    url: 'https://store.example/p',
    headers: { 'content-type': 'image/png' },
    expires_at: at,
    storage_key: 'k',
  },
} satisfies Partial<RpcReplies>
