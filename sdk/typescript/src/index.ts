export { DeliveryDispatch, type DispatchOptions } from './client.ts'
export { ConnectionError, DispatchError, TimeoutError } from './errors.ts'
export type { Followed, FollowOptions } from './follow.ts'
export type * from './generated/types.ts'
export { Pages } from './pages.ts'
export type { CallOptions, Credential } from './send.ts'
export type { UnknownEventName } from './unknown-event.ts'
export {
  type Refusal,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './webhooks.ts'
