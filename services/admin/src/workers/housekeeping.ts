import type { Database } from '@svc/database'
import { type Part, repeatedly } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'

const logger = createLogger('housekeeping')
const EVERY_MS = 10 * 60_000
const HEAD_EVERY_MS = 24 * 3_600_000

/** Removes what nothing reads any more, and writes the head of the audit chain to the log once a day. */
export const housekeeping = (database: Database): Part[] => [
  repeatedly({ name: 'housekeeping', everyMs: EVERY_MS, work: () => removeStale(database) }),
  repeatedly({ name: 'audit head', everyMs: HEAD_EVERY_MS, work: () => logAuditHead(database) }),
]

async function removeStale({ worker }: Database): Promise<void> {
  await worker.query("DELETE FROM login_failures WHERE at < app_now() - interval '1 hour'")
  // A day longer than its tokens, by whichever clock.
  await worker.query("DELETE FROM sessions WHERE expires_at < app_now() - interval '1 day'")
}

/** Entries cut off the end of the chain show against a head that was written down elsewhere. */
async function logAuditHead({ worker }: Database): Promise<void> {
  const { rows } = await worker.query<{ seq: number; hash: Buffer }>(
    'SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1',
  )
  const last = rows[0]
  if (last) logger.info({ entries: last.seq, head: last.hash.toString('hex') }, 'head of the audit chain')
}
