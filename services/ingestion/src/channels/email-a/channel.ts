import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Channel } from '../channel.ts'
import { readKept } from '../read-kept.ts'
import { fetchedMail } from './fetched-mail.ts'
import { attachmentsIn, isOrderMail, mailIn, recipientsIn } from './mail.ts'
import { normalizeMail } from './normalize.ts'
import { emailSigner } from './signature.ts'

const HEADERS = ['svix', 'webhook'].flatMap((prefix) =>
  ['id', 'timestamp', 'signature'].map((name) => `${prefix}-${name}`),
)

/**
 * The e-mail provider's notices of mail that came: signed over id, time and body by a secret of the platform, and a merchant's by
 * the address that the mail was sent to. A notice holds no text of the mail: that is fetched, and its labelled lines are an
 * order where they tell all that one needs. Else it is a dead letter `needs_details`, which names what is missing.
 */
export function emailA(config: Config): Channel {
  const { emailInboundSecret: current, emailInboundPreviousSecret: previous, emailInboundDomain: domain } = config
  return {
    name: 'email-a',
    platformSecrets: current === undefined ? [] : [current, ...(previous === undefined ? [] : [previous])],
    signatureHeader: 'svix-signature',
    keptHeaders: new Set(['content-type', 'user-agent', ...HEADERS]),
    verify: (signed, secrets) => emailSigner(signed, secrets, Date.now()),
    dedupeKeyOf({ body, pathMerchantId: owner = null }) {
      const value = readKept(body)
      const { event, emailId, data } = value ? mailIn(value) : { event: '', emailId: null, data: {} }
      if (emailId === null) return sha256(body)
      // For the first recipient a mail has the key under which it was kept when it was that one's alone.
      const isOfOther = owner !== null && recipientsIn(data, domain).indexOf(owner) > 0
      return sha256([event, emailId, ...(isOfOther ? [owner] : [])].join('\n'))
    },
    read({ body }) {
      const value = readKept(body)
      if (!value) return null
      const { event, emailId, data } = mailIn(value)
      const merchantId = event === 'email.received' ? (recipientsIn(data, domain)[0] ?? null) : null
      return { event, isWanted: merchantId !== null && emailId !== null, merchantId, externalOrderId: emailId }
    },
    recipientsOf({ body }) {
      const value = readKept(body)
      return value ? recipientsIn(mailIn(value).data, domain) : []
    },
    isOrderFor({ body }, { subjectKeyword }) {
      const value = readKept(body)
      return value !== null && isOrderMail(mailIn(value).data, subjectKeyword)
    },
    mailIn({ body }) {
      const value = readKept(body)
      if (!value) return null
      const { emailId, data } = mailIn(value)
      return emailId === null ? null : { id: emailId, attachments: attachmentsIn(data) }
    },
    fetchedMail,
    normalize: normalizeMail,
  }
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
