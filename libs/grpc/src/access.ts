import type { MerchantScope, Permission } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { Caller } from './caller.ts'
import type { Scope, Tenant } from './tenant.ts'

/** What a grant asks of a caller beyond its kind. */
interface Conditions {
  /** An API key itself, no token that was made from one. */
  keyOnly?: true
  /** The token of somebody who logged in, no API key and no token that was made from one. */
  loginOnly?: true
  /** No test credential: the call moves real money. */
  liveOnly?: true
  /** Not on behalf of another merchant. */
  inPerson?: true
  /** Of riders' tokens that a key minted only those whose key may write orders: the call reaches the rider's money. */
  money?: true
  /** None that a key minted once the rider has logged in: the call decides where the rider is paid. */
  payee?: true
  /** No key that an operator has been shown, nor what was made from one: who approves payouts does not ask for them. */
  ownKey?: true
}

/** One kind of caller that may call an rpc. */
export type Grant = Conditions &
  (
    | { kind: 'merchant'; anyOf: readonly MerchantScope[] }
    | { kind: 'operator'; permission?: Permission }
    | { kind: 'service'; names: readonly string[] }
    | { kind: 'rider' }
    | { kind: 'public' }
    | { kind: 'anyone' }
  )

/** Who may call an rpc, as data; `S` is the scope that its handler has. */
export interface Access<S extends Scope = Scope> {
  readonly grants: readonly Grant[]
  /** Carries the type alone. */
  readonly scope?: S
}

/** A merchant whose credential holds any one of the scopes; any merchant where none is named. */
export const merchant = (...anyOf: readonly MerchantScope[]): Access<Tenant> => ({
  grants: [{ kind: 'merchant', anyOf }],
})

/** An operator who holds the permission; any operator where none is named. */
export const operator = (permission?: Permission): Access<'every tenant'> => ({
  grants: [{ kind: 'operator', ...(permission && { permission }) }],
})

/** A rider about itself: `riderOf` tells which. */
export const rider = (): Access<'every tenant'> => ({ grants: [{ kind: 'rider' }] })

/** A service of ours that acts by itself. */
export const service = (...names: readonly [string, ...string[]]): Access<'every tenant'> => ({
  grants: [{ kind: 'service', names }],
})

/** A caller without a credential: the gateway on behalf of a visitor. */
export const publicly = (): Access<'every tenant'> => ({ grants: [{ kind: 'public' }] })

/** Every person: the request itself proves what it must. A service of ours is none. */
export const anyone = (): Access<'every tenant'> => ({ grants: [{ kind: 'anyone' }] })

/** The callers of each. */
export const either = <const A extends readonly Access[]>(...all: A): Access<NonNullable<A[number]['scope']>> => ({
  grants: all.flatMap(({ grants }) => grants),
})

export const keyOnly = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { keyOnly: true })
export const loginOnly = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { loginOnly: true })
export const liveOnly = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { liveOnly: true })
export const inPerson = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { inPerson: true })

export const money = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { money: true })
export const payee = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { payee: true })
export const ownKey = <S extends Scope>(access: Access<S>): Access<S> => conditioned(access, { ownKey: true })

const conditioned = <S extends Scope>({ grants }: Access<S>, conditions: Conditions): Access<S> => ({
  grants: grants.map((grant) => ({ ...grant, ...conditions })),
})

type Refusal = { required: readonly string[] } | { reason: string } | 'another kind'

/** The scope of a caller that any one of the grants admits; throws forbidden naming what the first of its kind lacks. */
export function admit<S extends Scope>({ grants }: Access<S>, caller: Caller): S {
  let shown: Refusal | undefined
  for (const grant of grants) {
    const refusal = refusalOf(grant, caller)
    if (refusal === undefined) return scopeOf(grant, caller) as S
    if (refusal !== 'another kind') shown ??= refusal
  }
  throw new ServiceError('forbidden', shown && shown !== 'another kind' ? { details: shown } : {})
}

const scopeOf = ({ kind }: Grant, { merchantId, isTest }: Caller): Scope =>
  kind === 'merchant' ? { merchantId: merchantId as string, isTest } : 'every tenant'

function refusalOf(grant: Grant, caller: Caller): Refusal | undefined {
  const lacking = lackOf(grant, caller)
  if (lacking) return lacking
  if (grant.keyOnly && !isKey(caller)) return { reason: 'api_key_required' }
  if (grant.loginOnly && !isLogin(caller)) return { reason: 'login_required' }
  if (grant.liveOnly && caller.isTest === true) return { reason: 'live_mode_required' }
  if (grant.inPerson && caller.actingFor !== undefined) return { reason: 'acting_for_another' }
  if (grant.money && caller.mintedBy?.scopes.includes('orders:write') === false) return { required: ['orders:write'] }
  if (grant.payee && caller.mintedBy?.riderLogsIn) return { reason: 'rider_login_required' }
  if (grant.ownKey && caller.madeByOperator) return { reason: 'key_made_by_operator' }
  return undefined
}

function lackOf(grant: Grant, caller: Caller): Refusal | undefined {
  switch (grant.kind) {
    case 'merchant': {
      if (caller.kind !== 'merchant' || !caller.merchantId) return 'another kind'
      const isHeld = grant.anyOf.length === 0 || grant.anyOf.some((scope) => caller.scopes.includes(scope))
      return isHeld ? undefined : { required: grant.anyOf }
    }
    case 'operator':
      if (caller.kind !== 'admin') return 'another kind'
      if (grant.permission === undefined || caller.permissions?.includes(grant.permission)) return undefined
      return { required: [grant.permission] }
    case 'service':
      return caller.kind === 'system' && grant.names.includes(caller.actor.id) ? undefined : 'another kind'
    case 'rider':
      return caller.kind === 'rider' ? undefined : 'another kind'
    case 'public':
      return caller.kind === 'public' ? undefined : 'another kind'
    case 'anyone':
      return caller.kind === 'system' ? 'another kind' : undefined
  }
}

const isKey = ({ credential, sessionId }: Caller): boolean =>
  credential?.startsWith('key:') === true && sessionId === undefined

const isLogin = ({ credential }: Caller): boolean => credential?.startsWith('user:') === true
