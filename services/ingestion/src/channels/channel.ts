import type { JsonObject } from '@svc/exact-json'
import type { ChannelSettings } from '../domain/channel-settings.ts'
import type { Hook } from '../domain/hook.ts'
import type { FetchedMail, Mail } from '../domain/mail.ts'
import type { Normalizer } from './normalizer.ts'

/** A header of a hook as it came; a name that came twice is there twice. */
export interface Header {
  /** Lower case. */
  name: string
  value: string
}

export interface Signed {
  headers: readonly Header[]
  /** Byte for byte. */
  body: Buffer
}

/** A secret of the platform or of a merchant. Null where there is none: it is tried all the same, so that the time tells nothing. */
export interface Secret {
  signer: 'platform' | 'merchant'
  text: string | null
}

/** What the body of a verified hook says, as far as this service must know. */
export interface Reading {
  /** The provider's name of it. */
  event: string
  /** Some service acts upon it, or this one makes it into an order. */
  isWanted: boolean
  /** Nobody's work but a person's, by this reason: it is a dead letter from the beginning. */
  forPerson?: string | undefined
  /** The merchant it claims to be about; only the service that acts upon it can tell whether that is true. */
  merchantId: string | null
  /** Of a channel that tells of orders: which one, as far as the body says. */
  externalOrderId?: string | null
}

/** A hook as it is kept. */
export type Kept = Pick<Hook, 'headers' | 'body'>

/** Whose order a hook tells of, of which nothing became elsewhere; or why no order may be made of it. */
export type OrderBeside = { merchantId: string; externalOrderId: string | null } | { refused: string }

/** The hooks of one third party: the first segment below /webhooks. Data and pure functions. */
export interface Channel {
  readonly name: string
  /** Of the operator, the current one first; none: not configured. */
  readonly platformSecrets: readonly string[]
  /** Lower-case name of the header with the signature; it is kept. */
  readonly signatureHeader: string
  /** Lower-case name of the header that says what kind of event it is, where one does; kept, and not signed. */
  readonly topicHeader?: string
  /** Lower-case names of the headers that are kept. */
  readonly keptHeaders: ReadonlySet<string>
  /** The shop of a hook whose address names no merchant, as its merchants have set it; null where it names none. */
  shopDomainOf?(signed: Signed): string | null
  /** An unsigned post that the third party makes to see whether somebody is there. It proves nothing and changes nothing. */
  isPing?(signed: Signed): boolean
  /** The secret that made the signature of these bytes, or null. Every secret is tried, whichever fits. */
  verify(signed: Signed, secrets: readonly Secret[]): Secret | null
  /** The same for every delivery of one event to one merchant. */
  dedupeKeyOf(hook: Kept & Partial<Pick<Hook, 'pathMerchantId'>>): string
  /** Null: no release of ours could make sense of it. Without a signer as if the platform's secret had signed it. */
  read(hook: Kept & Partial<Pick<Hook, 'signer'>>): Reading | null
  /** Of a channel whose body names merchants: all of them, in its order, each once. The first is that of `read`. */
  recipientsOf?(hook: Kept): readonly string[]
  /** Of such a channel, where some of its hooks are none: whether this one tells of an order as that merchant has set it. */
  isOrderFor?(hook: Kept, wanted: Pick<ChannelSettings, 'subjectKeyword'>): boolean
  /** Of a channel whose hooks tell of mail: the mail that this one is about. */
  mailIn?(hook: Kept): Mail | null
  /** That mail as its provider has it. */
  fetchedMail?(body: JsonObject): FetchedMail
  /** Its hooks are messages of customers, with whom this service talks about them. */
  readonly isConversation?: true
  /** Of a channel whose hooks tell of orders. */
  readonly normalize?: Normalizer
  /**
   * Of a channel that has both: its hooks are judged elsewhere first, and made into orders here where that found them to be
   * nothing of its own. Without it, hooks of channels with `normalize` are made into orders here, and others judged elsewhere.
   */
  readonly orderBeside?: (hook: Pick<Hook, 'signer' | 'pathMerchantId' | 'body'>) => OrderBeside | null
}

/** By their names. */
export type Channels = ReadonlyMap<string, Channel>
