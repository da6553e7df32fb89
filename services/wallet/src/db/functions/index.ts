import type { SqlFunction } from '@svc/database'
import { abortOperation } from './abort-operation.sql.ts'
import { accountIds } from './account-ids.sql.ts'
import { captureHold } from './capture-hold.sql.ts'
import { declineOperation } from './decline-operation.sql.ts'
import { earlierOperation } from './earlier-operation.sql.ts'
import { lockSubjects } from './lock-subjects.sql.ts'
import { placeHold } from './place-hold.sql.ts'
import { postOperation } from './post-operation.sql.ts'
import { releaseHold } from './release-hold.sql.ts'
import { releaseHoldPart } from './release-hold-part.sql.ts'
import { settleCommission } from './settle-commission.sql.ts'
import { settleCommissions } from './settle-commissions.sql.ts'
import { settleReserved } from './settle-reserved.sql.ts'
import { settleUnreserved } from './settle-unreserved.sql.ts'

/** Through these alone money moves. */
export const functions: readonly SqlFunction[] = [
  accountIds,
  earlierOperation,
  postOperation,
  abortOperation,
  lockSubjects,
  declineOperation,
  placeHold,
  captureHold,
  releaseHold,
  releaseHoldPart,
  settleUnreserved,
  settleReserved,
  settleCommission,
  settleCommissions,
]
