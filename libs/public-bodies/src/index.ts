export { eventEnvelope, eventOrder, orderWebhook, pingWebhook, topupWebhook, withdrawalWebhook } from './event.ts'
export { DEFAULT_EVENTS, EVENTS, ORDER_EVENTS, PING, TOPUP_EVENTS, WITHDRAWAL_EVENTS } from './event-names.ts'
export { adminWithdrawal, creditedTopup, OWNER_TYPES, WITHDRAWAL_STATUSES, withdrawal } from './money.ts'
export { eta, order, orderOf } from './order.ts'
export {
  fieldsOf,
  id,
  instant,
  minor,
  ok,
  orNull,
  page,
  rawJson,
  required,
  shownAs,
  whole,
  words,
} from './pieces.ts'
export { riderSummary } from './rider.ts'
export { WEBHOOK_SAMPLES } from './webhook-samples.ts'
