import { randomUUID } from 'node:crypto'
import type { OrmTx } from '@svc/transact'
import type { Config } from '../config.ts'
import { endOldestSessions } from '../db/sessions.ts'
import { type Holder, isRider } from '../domain/holder.ts'
import { Session } from '../domain/session.ts'

const DAY_MS = 86_400_000

/** Of a rider's family. */
interface RidersFamily {
  accessTtlSeconds: number
  /** Whether other access tokens follow the first. */
  isRefreshed: boolean
  /** By which revocations tell it from those before them: since when the rider's epoch is held. */
  begunAt: Date
}

/**
 * Starts a refresh family for the holder, of whose families the oldest end beyond the operator's limit. Its end is fixed
 * now; no refresh moves it. What `ended` stood on is published after the commit.
 */
export async function openSession(tx: OrmTx, config: Config, holder: Holder, ofRider?: RidersFamily) {
  const ended = await endOldestSessions(tx, holder, config.familiesPerCredential - 1)
  const familyMs =
    ofRider && !ofRider.isRefreshed ? ofRider.accessTtlSeconds * 1000 : config.refreshTokenTtlDays * DAY_MS
  // Tokens live by the clock of the process, for the process that verifies them has no other.
  const issuedAt = new Date()
  const session = tx.em.create(Session, {
    id: randomUUID(),
    merchantId: holder.merchantId,
    credential: holder.credential,
    isTest: isRider(holder) ? holder.isTest : null,
    mintedBy: isRider(holder) ? (holder.minter?.credential ?? null) : null,
    accessTtlSeconds: ofRider?.accessTtlSeconds ?? null,
    generation: 1,
    rotatedAt: tx.now,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + familyMs),
    epoch: 0,
    keyRotations: isRider(holder) ? 0 : holder.rotations,
    grantorMerchantId: isRider(holder) ? null : (holder.grantor?.merchantId ?? null),
    grantEpoch: isRider(holder) ? null : (holder.grantor?.epoch ?? null),
    createdAt: ofRider?.begunAt ?? tx.now,
  })
  return { session, holder, ended }
}
