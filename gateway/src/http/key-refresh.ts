import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VerifyApiKeyResponse } from '@svc/contracts/admin/v1/credential_service'
import { createLogger } from '@svc/logging'

const logger = createLogger('key-refresh')

/** As many as admin judges in a call. */
const MAX_TOGETHER = 500
const MAX_WAITING = 20_000
/** Shares of its life: from when on a verdict in use goes with others, and when it is due itself. The rest is for the call. */
const JOINS_AT = 0.4
const DUE_AT = 0.8
/** After a call that failed. Verdicts run out meanwhile, and are asked for one by one. */
const PAUSE_MS = 1_000

/** What admin said of a key, and when it was asked: a verdict is as old as the question. */
export interface Verdict {
  keyId: string
  secretSha256: Buffer
  answer: VerifyApiKeyResponse
  askedAtMs: number
}

interface Refreshing {
  ttlMs: number
  /** Asks for verdicts on keys, in their order. */
  judge: (keys: ReadonlyArray<Pick<Verdict, 'keyId' | 'secretSha256'>>) => Promise<VerifyApiKeyResponse[]>
  /** False where the verdict has gone or another has taken its place. */
  isCurrent: (digest: string, verdict: Verdict) => boolean
  /** Puts the fresh verdict in the place of the one before. */
  replace: (digest: string, fresh: Verdict) => void
  now?: () => number
}

/** Hears of each verdict that a request has used. */
export type NoteUse = (digest: string, verdict: Verdict) => void

/**
 * Has the verdicts of keys that are in use renewed before they run out, all that are near their end in one call. A verdict
 * lives no longer for it: one that is not renewed in time runs out as ever.
 */
export function keyRefresher({ ttlMs, judge, isCurrent, replace, now = Date.now }: Refreshing): NoteUse {
  const waiting = new Map<string, Verdict>()
  let isAsking = false
  let pausedUntilMs = 0

  async function renew(lot: ReadonlyArray<[string, Verdict]>): Promise<void> {
    const askedAtMs = now()
    const answers = await judge(lot.map(([, verdict]) => verdict))
    for (const [nth, [digest, verdict]] of lot.entries()) {
      const answer = answers[nth]
      // Whoever asked for this one key meanwhile knows as much, or more.
      if (answer && isCurrent(digest, verdict)) replace(digest, { ...verdict, answer, askedAtMs })
    }
  }

  async function renewAll(): Promise<void> {
    isAsking = true
    try {
      // What comes in one turn of the event loop goes together.
      await nextTurn()
      while (waiting.size > 0) {
        const lot = [...waiting].slice(0, MAX_TOGETHER)
        for (const [digest] of lot) waiting.delete(digest)
        // One that has run out meanwhile was not used for as long: nobody is to read that it was.
        const current = lot.filter(
          ([digest, verdict]) => isCurrent(digest, verdict) && now() - verdict.askedAtMs < ttlMs,
        )
        if (current.length > 0) await renew(current)
      }
    } catch (err) {
      logger.warn({ err }, 'verdicts on keys are not renewed together')
      pausedUntilMs = now() + PAUSE_MS
      waiting.clear()
    } finally {
      isAsking = false
    }
  }

  return (digest, verdict) => {
    const share = (now() - verdict.askedAtMs) / ttlMs
    if (share < JOINS_AT || now() < pausedUntilMs) return
    if (waiting.size < MAX_WAITING) waiting.set(digest, verdict)
    if (share >= DUE_AT && !isAsking) void renewAll()
  }
}
