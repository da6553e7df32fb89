import { IndexMigration } from '@svc/database'

/** By which messages to a phone are found whose digits, some or all, an operator types in. */
export class CodesByPhone extends IndexMigration {
  protected readonly indexes = [{ name: 'otp_send_log_phone', on: 'otp_send_log USING gin (phone gin_trgm_ops)' }]
}
