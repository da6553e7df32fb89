import { type FieldFault, validationError } from '@svc/errors'

const LENGTH = { min: 16, max: 256 }
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
  secret?: string
  clearFields: readonly string[]
}

/**
 * The secret after a change; throws validation_error for one that cannot be. A replaced secret verifies for 24 more
 * hours, because nobody changes it at both ends in the same moment; a cleared one never again.
 */
export function changeSecret(before: ChannelSecret, change: SecretChange, now: Date): ChannelSecret {
  refuseFaults(change)
  if (change.clearFields.includes('secret')) return { ...NO_SECRET, updatedAt: now }
  if (change.secret === undefined || change.secret === before.secret) return before
  return {
    secret: change.secret,
    previousSecret: before.secret,
    previousSecretExpiresAt: before.secret === null ? null : new Date(now.getTime() + OVERLAP_MS),
    updatedAt: now,
  }
}

function refuseFaults({ secret, clearFields }: SecretChange): void {
  const faults = [...secretFaults(secret), ...clearFaults(clearFields, secret !== undefined)]
  const [first, ...rest] = faults
  if (first) throw validationError([first, ...rest])
}

function secretFaults(secret: string | undefined): FieldFault[] {
  if (secret === undefined || (secret.length >= LENGTH.min && secret.length <= LENGTH.max)) return []
  const message = `secret must be ${LENGTH.min} to ${LENGTH.max} characters.`
  return [{ field: 'secret', rule: 'length', limit: LENGTH.max, message }]
}

function clearFaults(fields: readonly string[], isSet: boolean): FieldFault[] {
  if (fields.some((field) => field !== 'secret'))
    return [{ field: 'clear_fields', rule: 'enum', allowed: ['secret'], message: 'Only secret can be cleared.' }]
  if (fields.length > 0 && isSet)
    return [{ field: 'secret', rule: 'conflict', message: 'secret cannot be set and cleared at once.' }]
  return []
}
