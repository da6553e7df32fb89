import { IndexMigration } from '@svc/database'

/** By which the oldest failures are found, to be forgotten. */
export class LoginFailuresAge extends IndexMigration {
  protected readonly indexes = [{ name: 'login_failures_age', on: 'login_failures (at)' }]
}
