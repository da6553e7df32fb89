import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/outbox'
import type { Config } from '../config.ts'
import type { Holder } from '../domain/holder.ts'
import { Session } from '../domain/session.ts'

const DAY_MS = 86_400_000

/** Starts a refresh family for the holder. Its end is fixed now; no refresh moves it. */
export function openSession(tx: Tx, config: Config, holder: Holder): Session {
  // Tokens live by the clock of the process, for whoever verifies them has no other.
  const issuedAt = new Date()
  return tx.em.create(Session, {
    id: randomUUID(),
    merchantId: holder.merchantId,
    credential: holder.credential,
    generation: 1,
    rotatedAt: tx.now,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + config.refreshTokenTtlDays * DAY_MS),
    epoch: 0,
    createdAt: tx.now,
  })
}
