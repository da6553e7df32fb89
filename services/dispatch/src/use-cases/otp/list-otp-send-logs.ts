import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import type { Listed } from '../../db/listed.ts'
import { type OtpSendLog, pageOfSendLog, type SendLogFilter } from '../../db/otps.ts'

/** What became of every message, newest first. */
export const listOtpSendLogs = (
  { database }: Context,
  _by: By,
  { limit, offset, ...filter }: SendLogFilter & Page,
): Promise<Listed<OtpSendLog>> => pageOfSendLog(database, filter, { limit, offset })
