import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@svc/errors'
import type { Config } from '../config.ts'
import type { Identity } from './principal.ts'
import type { Route } from './route.ts'

/** Throws 403 for who acts for another merchant where a merchant acts for itself alone. */
export function refuseGrantee({ auth }: Route, { actingFor }: Identity): void {
  if (auth.kind === 'merchant' && auth.inPerson && actingFor !== undefined)
    throw new ServiceError('forbidden', { details: { reason: 'acting_for_another' } })
}

/** Throws 403, naming what is missing, unless the identity holds what the route asks for. */
export function requireHeld({ auth }: Route, identity: Identity, config: Config): void {
  const isOfMerchants = auth.kind === 'merchant' || auth.kind === 'merchant_or_rider'
  if (isOfMerchants && identity.kind === 'merchant') {
    const held = auth.scopes.length === 0 || auth.scopes.some((scope) => identity.scopes.includes(scope))
    if (!held) throw new ServiceError('forbidden', { details: { required: auth.scopes } })
    const managing = auth.keysManageWhen !== undefined && config[auth.keysManageWhen]
    if (managing && !identity.scopes.includes('keys:manage')) {
      throw new ServiceError('forbidden', { details: { required: ['keys:manage'] } })
    }
  }
  if (auth.kind === 'merchant' && auth.loginOnly && !identity.credential?.startsWith('user:')) {
    throw new ServiceError('forbidden', { details: { reason: 'login_required' } })
  }
  if (auth.kind === 'admin' && auth.permission && !identity.permissions?.includes(auth.permission)) {
    throw new ServiceError('forbidden', { details: { required: [auth.permission] } })
  }
}

/**
 * On which side of the wall between test and live the request acts. Keys and their tokens are bound to one side; a login
 * reads both and writes live objects unless it says otherwise.
 */
export function environmentOf(route: Route, { kind, isTest }: Identity, { headers }: IncomingMessage): boolean | null {
  if (kind !== 'merchant') return isTest
  if (route.testOnly) {
    if (isTest === false) throw new ServiceError('test_mode_required')
    return true
  }
  if (isTest !== null || route.method === 'GET') return isTest
  return headers['x-service-environment'] === 'test'
}
