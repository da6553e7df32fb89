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
