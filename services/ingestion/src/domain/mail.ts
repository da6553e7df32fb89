/** An attachment of a mail that can be read. */
export interface MailAttachment {
  /** The provider's id of it. */
  id: string
  fileName: string | null
  contentType: string
}

/** A mail that came, as far as its notice tells of it. */
export interface Mail {
  /** The provider's id of it. */
  id: string
  attachments: readonly MailAttachment[]
}

/** What the notice of a mail does not hold, in the words of the order's record. */
export interface MailRecord {
  subject: string | null
  text: string | null
  html: string | null
  /** Of the mail as it came, until it expires. */
  download_url: string | null
  expires_at: string | null
}

/** A mail as the provider has it. */
export interface FetchedMail {
  record: MailRecord
  attachments: readonly MailAttachment[]
}
