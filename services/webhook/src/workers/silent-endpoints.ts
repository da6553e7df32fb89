import { systemBy } from '@svc/grpc'
import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { disableSilentEndpoints } from '../use-cases/disable-silent-endpoints.ts'

const EVERY_MS = 600_000

/** Switches endpoints off that never answer. */
export const silentEndpoints = (ctx: Pick<Context, 'config' | 'database' | 'transact'>): Part =>
  repeatedly({
    name: 'silent-endpoints',
    everyMs: EVERY_MS,
    work: () => disableSilentEndpoints(ctx, systemBy('webhook')),
  })
