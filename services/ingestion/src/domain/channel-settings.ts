import { type FieldFault, refuseFaults, validationError } from '@svc/errors'
import { shopDomain } from '@svc/inputs'

const OVERLAP_MS = 24 * 3_600_000

/** Where a merchant's orders of a channel are collected. */
export interface Pickup {
  address: string
  lat: number | null
  lng: number | null
}

/** A secret that no key of ours opens, as it is stored: it verifies nothing, and stays until another takes its place. */
export interface Unopened {
  sealed: string
}

/** How a merchant's account at a third party is connected; secrets in the clear. */
export interface ChannelSettings {
  /** Shared with the third party. */
  secret: string | Unopened | null
  /** Verifies too while the third party changes over. */
  previousSecret: string | Unopened | null
  previousSecretExpiresAt: Date | null
  /** By which its hooks name the merchant. */
  shopDomain: string | null
  /** To which its messages must have come. */
  receiverPhone: string | null
  /** What the subject of an e-mail must hold to be an order. */
  subjectKeyword: string | null
  pickup: Pickup | null
  /** From the hook to the pickup. */
  leadMinutes: number | null
  /** From the pickup to the end of the delivery window. */
  windowMinutes: number | null
  /** Null until the merchant first sets something. */
  updatedAt: Date | null
}

export const NO_SETTINGS: ChannelSettings = {
  secret: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
  shopDomain: null,
  receiverPhone: null,
  subjectKeyword: null,
  pickup: null,
  leadMinutes: null,
  windowMinutes: null,
  updatedAt: null,
}

/** Which of the settings a merchant sets, by their names on the wire. */
const SETTABLE = {
  secret: 'secret',
  shop_domain: 'shopDomain',
  receiver_phone: 'receiverPhone',
  subject_keyword: 'subjectKeyword',
  pickup: 'pickup',
  lead_minutes: 'leadMinutes',
  window_minutes: 'windowMinutes',
} as const satisfies Record<string, keyof ChannelSettings>

export type SettableField = keyof typeof SETTABLE
export const SETTABLE_FIELDS = Object.keys(SETTABLE) as [SettableField, ...SettableField[]]

export type SettingsChange = {
  [Field in (typeof SETTABLE)[SettableField]]?: Exclude<ChannelSettings[Field], Unopened | null> | undefined
} & { clearFields: readonly SettableField[] }

/**
 * The settings after a change, and the very same where it changes nothing; throws validation_error where a field is set and
 * cleared at once, or a domain is none. A replaced secret verifies for 24 more hours, because no change reaches both ends in
 * the same moment; a cleared one no more.
 */
export function changeSettings(before: ChannelSettings, change: SettingsChange, now: Date): ChannelSettings {
  refuseFaults(faultsOf(change))
  const domain = change.shopDomain === undefined ? undefined : shopDomain(change.shopDomain)
  if (domain === null)
    throw validationError([{ field: 'shop_domain', rule: 'format', message: 'shop_domain must be a domain name.' }])
  const wanted = { ...change, shopDomain: domain }
  const set = Object.fromEntries(
    Object.entries(SETTABLE).flatMap(([field, name]): Array<[string, unknown]> => {
      if (change.clearFields.includes(field as SettableField)) return [[name, null]]
      return wanted[name] === undefined ? [] : [[name, wanted[name]]]
    }),
  ) as Partial<ChannelSettings>
  const isChanged = (Object.keys(set) as Array<keyof ChannelSettings>).some(
    (name) => JSON.stringify(set[name]) !== JSON.stringify(before[name]),
  )
  const isCleared = change.clearFields.includes('secret')
  if (!isChanged && !(isCleared && before.previousSecret !== null)) return before
  return { ...before, ...set, ...previousOf(before, change), updatedAt: now }

  function previousOf(
    { secret, previousSecret, previousSecretExpiresAt }: ChannelSettings,
    { secret: next }: SettingsChange,
  ) {
    if (isCleared) return { previousSecret: null, previousSecretExpiresAt: null }
    if (next === undefined || next === secret) return { previousSecret, previousSecretExpiresAt }
    if (typeof secret !== 'string') return { previousSecret: null, previousSecretExpiresAt: null }
    return { previousSecret: secret, previousSecretExpiresAt: new Date(now.getTime() + OVERLAP_MS) }
  }
}

const faultsOf = ({ clearFields, ...change }: SettingsChange): FieldFault[] =>
  clearFields
    .filter((field) => change[SETTABLE[field]] !== undefined)
    .map((field) => ({ field, rule: 'conflict', message: `${field} cannot be set and cleared at once.` }))
