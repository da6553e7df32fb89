import type { Permission } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { resourceId } from '@svc/inputs'
import { type Caller, systemCaller } from './caller.ts'
import type { Scope } from './tenant.ts'

/** By whom a use case is called: every use case takes it second, and passes it on as `within` of the calls it makes. */
export interface By<S extends Scope = Scope> {
  readonly caller: Caller
  /** The rows that the caller may see. */
  readonly scope: S
  readonly deadline: Date
  /** Aborted when the caller hangs up or the deadline passes. */
  readonly signal: AbortSignal
}

const DEADLINE_MS = 30_000

/** A service that acts by itself: in a worker, a consumer or a command. */
export function systemBy(
  name: string,
  { deadlineMs = DEADLINE_MS, requestId }: { deadlineMs?: number; requestId?: string } = {},
): By<'every tenant'> {
  const deadline = new Date(Date.now() + deadlineMs)
  let signal: AbortSignal | undefined
  return {
    caller: systemCaller(name, requestId),
    scope: 'every tenant',
    deadline,
    // Made on first use: most work never looks at it, and each is a timer.
    get signal() {
      return (signal ??= AbortSignal.timeout(Math.max(0, deadline.getTime() - Date.now())))
    },
  }
}

/** The merchant a call is about: a merchant is itself, operators and services name one; else forbidden. */
export function merchantNamed({ scope }: By, named: string | undefined): string {
  const own = scope === 'every tenant' ? undefined : scope.merchantId
  const merchantId = named === undefined ? own : resourceId(named)
  if (merchantId === undefined || merchantId !== (own ?? merchantId)) throw new ServiceError('forbidden')
  return merchantId
}

/** The rider who calls; throws forbidden for any other caller. */
export function riderOf({ caller }: By): string {
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
  return caller.actor.id
}

/** Throws forbidden unless the operator holds the permission: for an rpc whose request decides which one it takes. */
export function held({ caller }: By, permission: Permission): void {
  if (caller.kind === 'admin' && caller.permissions?.includes(permission)) return
  throw new ServiceError('forbidden', { details: { required: [permission] } })
}
