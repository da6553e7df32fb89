import { describe, expect, test } from '@jest/globals'
import {
  type Access,
  admit,
  anyone,
  either,
  inPerson,
  keyOnly,
  liveOnly,
  loginOnly,
  merchant,
  operator,
  ownKey,
  publicly,
  rider,
  service,
} from './access.ts'
import { held, merchantNamed, riderOf, systemBy } from './by.ts'
import { type Caller, systemCaller } from './caller.ts'

const ID = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'
const OTHER = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a12'

const key: Caller = {
  kind: 'merchant',
  merchantId: ID,
  isTest: false,
  scopes: ['orders:read'],
  actor: { type: 'merchant_key', id: 'k' },
  credential: 'key:k',
  requestId: 'r',
}
const token: Caller = { ...key, sessionId: 's' }
const courier: Caller = { ...key, kind: 'rider', actor: { type: 'rider', id: ID }, scopes: ['riders:location'] }
const admin: Caller = {
  kind: 'admin',
  isTest: null,
  scopes: [],
  permissions: ['admin.orders.read'],
  actor: { type: 'admin', id: 'a' },
  requestId: 'r',
}
const visitor: Caller = { ...admin, kind: 'public', permissions: undefined }
const order = systemCaller('order')
const people = [key, courier, admin, visitor]
const everyone = [...people, order]
const refused = (details?: object) => expect.objectContaining({ code: 'forbidden', ...(details && { details }) })

describe('an access', () => {
  test('gives a merchant its own rows, of the environment of its credential', () => {
    expect(admit(merchant(), key)).toEqual({ merchantId: ID, isTest: false })
    expect(admit(merchant('keys:manage', 'orders:read'), key)).toEqual({ merchantId: ID, isTest: false })
  })

  test.each([
    ['a merchant', merchant(), [key]],
    ['an operator', operator('admin.orders.read'), [admin]],
    ['a rider', rider(), [courier]],
    ['a service', service('order', 'wallet'), [order]],
    ['either', either(merchant(), rider()), [key, courier]],
    ['a visitor', publicly(), [visitor]],
    ['anyone', anyone(), people],
  ])('for %s admits no other kind of caller', (_name, access: Access, admitted) => {
    for (const caller of everyone) {
      if (admitted.includes(caller)) expect(() => admit(access, caller)).not.toThrow()
      else expect(() => admit(access, caller)).toThrow(refused())
    }
  })

  test('names what the caller lacks, never what another kind of caller would need', () => {
    const access = either(merchant('orders:write', 'keys:manage'), operator('admin.orders.write'))
    expect(() => admit(access, key)).toThrow(refused({ required: ['orders:write', 'keys:manage'] }))
    expect(() => admit(access, admin)).toThrow(refused({ required: ['admin.orders.write'] }))
    const nothing = expect.objectContaining({ details: undefined })
    expect(() => admit(access, courier)).toThrow(nothing)
  })

  test('for one service is no access for another, nor for a caller that only claims its name', () => {
    expect(() => admit(service('order'), systemCaller('webhook'))).toThrow(refused())
    expect(() => admit(service('order'), { ...admin, actor: { type: 'system', id: 'order' } })).toThrow(refused())
  })

  test('is none for a merchant without an id', () => {
    expect(() => admit(merchant(), { ...key, merchantId: '' })).toThrow(refused())
  })

  test('keeps its conditions beside others: they stand on each grant', () => {
    expect(() => admit(keyOnly(merchant()), token)).toThrow(refused({ reason: 'api_key_required' }))
    expect(() => admit(liveOnly(merchant()), { ...key, isTest: true })).toThrow(
      refused({ reason: 'live_mode_required' }),
    )
    expect(() => admit(inPerson(merchant()), { ...key, actingFor: OTHER })).toThrow(
      refused({ reason: 'acting_for_another' }),
    )
    for (const each of [key, token, courier]) {
      const access = ownKey(either(merchant(), rider()))
      expect(() => admit(access, each)).not.toThrow()
      expect(() => admit(access, { ...each, madeByOperator: true })).toThrow(
        refused({ reason: 'key_made_by_operator' }),
      )
    }
    for (const each of [key, token])
      expect(() => admit(loginOnly(merchant()), each)).toThrow(refused({ reason: 'login_required' }))
    expect(() => admit(loginOnly(merchant()), { ...token, credential: 'user:1' })).not.toThrow()
    const access = either(keyOnly(merchant()), rider())
    expect(() => admit(access, courier)).not.toThrow()
    expect(() => admit(access, token)).toThrow(refused({ reason: 'api_key_required' }))
    for (const each of [keyOnly, liveOnly, inPerson])
      expect(admit(each(merchant()), key)).toEqual(admit(merchant(), key))
  })
})

describe('what a use case asks of its caller', () => {
  test('a service that acts by itself has one signal for all its calls', () => {
    const own = systemBy('order')
    expect(own.signal).toBe(own.signal)
    expect(own.signal.aborted).toBe(false)
  })

  const by = (caller: Caller, access: Access) => ({ ...systemBy('x'), caller, scope: admit(access, caller) })

  test('a merchant is itself and names no other, an operator names one', () => {
    expect(merchantNamed(by(key, merchant()), undefined)).toBe(ID)
    expect(merchantNamed(by(key, merchant()), ID.toUpperCase())).toBe(ID)
    expect(() => merchantNamed(by(key, merchant()), OTHER)).toThrow(refused())
    expect(merchantNamed(by(admin, anyone()), OTHER)).toBe(OTHER)
    expect(() => merchantNamed(by(admin, anyone()), undefined)).toThrow(refused())
    expect(() => merchantNamed(by(admin, anyone()), 'x')).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  test('the rider is the one who calls', () => {
    expect(riderOf(by(courier, rider()))).toBe(ID)
    expect(() => riderOf(by(key, merchant()))).toThrow(refused())
  })

  test('a permission is held by an operator who has it alone', () => {
    expect(() => held(by(admin, anyone()), 'admin.orders.read')).not.toThrow()
    expect(() => held(by(admin, anyone()), 'admin.orders.write')).toThrow(refused({ required: ['admin.orders.write'] }))
    expect(() => held(by({ ...key, permissions: ['admin.orders.read'] }, anyone()), 'admin.orders.read')).toThrow(
      refused(),
    )
  })
})
