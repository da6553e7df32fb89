import type { RpcReplies } from '../rpc-replies.ts'

export const systemReplies = {
  getCaptureConfig: { enabled: true, package_allowlist: ['com.example.app'], public_key: 'a key' },
} satisfies Partial<RpcReplies>
