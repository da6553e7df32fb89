import type { RpcReplies } from '../rpc-replies.ts'
import { tokens } from './credential.ts'
import { adminToken } from './operator.ts'

const begunSignOn = { attempt: { url: 'https://login.example/authorize?state=s', secret: 's', max_age_seconds: 600 } }

export const signOnReplies = {
  getMerchantSignOn: { available: true },
  beginMerchantSignOn: begunSignOn,
  completeMerchantSignOn: { tokens, success_url: undefined },
  beginOperatorSignOn: begunSignOn,
  completeOperatorSignOn: { ...adminToken, success_url: undefined },
} satisfies Partial<RpcReplies>
