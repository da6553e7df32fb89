import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'

/** Throws unless the operator has the simulator on and the caller's credential is one for tests. */
export function requireSimulator(ctx: Context, caller: Caller): void {
  if (caller.isTest !== true) throw new ServiceError('test_mode_required')
  if (!ctx.config.simulatorEnabled) throw new ServiceError('simulator_disabled')
}
