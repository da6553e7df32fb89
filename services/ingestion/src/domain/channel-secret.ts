import { validationError } from '@svc/errors'

const OVERLAP_MS = 24 * 3_600_000

/** The secret that a merchant shares with a third party, in the clear. */
export interface ChannelSecret {
  secret: string | null
  /** Verifies too while the third party changes over. */
  previousSecret: string | null
  previousSecretExpiresAt: Date | null
  /** Null until the merchant first sets something. */
  updatedAt: Date | null
}

export const NO_SECRET: ChannelSecret = {
  secret: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
  updatedAt: null,
}

export interface SecretChange {
  secret?: string | undefined
  clearFields: ReadonlyArray<'secret'>
}

const SET_AND_CLEARED = {
  field: 'secret',
  rule: 'conflict',
  message: 'secret cannot be set and cleared at once.',
}

/**
 * The secret after a change; throws validation_error where it is set and cleared at once. A replaced secret verifies for 24 more
 * hours, because no change reaches both ends in the same moment; a cleared one no more.
 */
export function changeSecret(before: ChannelSecret, change: SecretChange, now: Date): ChannelSecret {
  const isCleared = change.clearFields.includes('secret')
  if (isCleared && change.secret !== undefined) throw validationError([SET_AND_CLEARED])
  if (isCleared) return { ...NO_SECRET, updatedAt: now }
  if (change.secret === undefined || change.secret === before.secret) return before
  return {
    secret: change.secret,
    previousSecret: before.secret,
    previousSecretExpiresAt: before.secret === null ? null : new Date(now.getTime() + OVERLAP_MS),
    updatedAt: now,
  }
}
