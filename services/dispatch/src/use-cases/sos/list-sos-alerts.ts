import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import type { Listed } from '../../db/listed.ts'
import { pageOfSosAlerts, type SosAlert, type SosFilter } from '../../db/sos-alerts.ts'

/** Riders' alerts, newest first; those of the sandbox only where its rider is asked for. */
export const listSosAlerts = (
  { database }: Context,
  _by: By,
  { limit, offset, ...filter }: SosFilter & Page,
): Promise<Listed<SosAlert>> => pageOfSosAlerts(database, filter, { limit, offset })
