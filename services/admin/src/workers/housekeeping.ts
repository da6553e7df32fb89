import type { Database } from '@svc/database'
import { type Part, repeatedly, sweeper } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import type { Context } from '../context.ts'
import { oldAccountTokens } from '../db/account-tokens.ts'
import { revokedKeys } from '../db/api-keys.ts'
import { findLastEntry } from '../db/audit-log.ts'
import { oldInquiries } from '../db/contact-inquiries.ts'
import { leftOutDocuments, unusedUploads } from '../db/kyb-documents.ts'
import { oldLoginFailures } from '../db/login-failures.ts'
import { oldLoginNetworks } from '../db/login-networks.ts'
import { oldRevocations } from '../db/rider-credentials.ts'
import { endDeadFamilies, endedSessions } from '../db/sessions.ts'
import { oldSignOnAttempts } from '../db/sign-on-attempts.ts'
import { headOf } from '../domain/audit-entry.ts'

const logger = createLogger('housekeeping')
const FAMILIES_EVERY_MS = 10_000
/** Families that end in one statement. */
const FAMILIES = 1_000
const HEAD_EVERY_MS = 24 * 3_600_000

/** Removes what nothing reads any more, and writes the head of the audit chain to the log once a day. */
export const housekeeping = ({ config, database: { worker } }: Pick<Context, 'config' | 'database'>): Part[] => [
  sweeper({
    name: 'housekeeping',
    service: 'admin',
    worker,
    everyMs: config.sweepIntervalMs,
    expiries: [
      oldLoginFailures,
      oldLoginNetworks,
      endedSessions,
      revokedKeys,
      oldInquiries,
      oldRevocations,
      oldAccountTokens,
      oldSignOnAttempts,
      leftOutDocuments,
    ],
    others: [unusedUploads],
  }),
  repeatedly({
    name: 'dead families',
    everyMs: FAMILIES_EVERY_MS,
    async work(signal) {
      while (!signal.aborted && (await endDeadFamilies(worker, FAMILIES)));
    },
  }),
  repeatedly({ name: 'audit head', everyMs: HEAD_EVERY_MS, work: () => logAuditHead(worker) }),
]

/** For `verify-audit --expect-head`: what is cut off the end of the chain shows against a head that is kept elsewhere. */
async function logAuditHead(worker: Database['worker']): Promise<void> {
  const last = await findLastEntry(worker)
  if (last) logger.info({ head: headOf(last.seq, last.hash) }, 'head of the audit chain')
}
