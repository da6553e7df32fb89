import type { JsonObject } from '@svc/exact-json'
import type { FetchedMail } from '../../domain/mail.ts'
import { cutTo, instantIn, objectIn, textIn } from '../mapping.ts'
import { attachmentsIn } from './mail.ts'

/** Of longer texts the beginning is kept. */
const MAX_TEXT = 65_536
const MAX_HTML = 131_072
const MAX_URL = 2_048

/** A mail as the provider has it. */
export function fetchedMail(body: JsonObject): FetchedMail {
  const raw = objectIn(body['raw'])
  const url = kept(raw['download_url'], MAX_URL)
  return {
    record: {
      subject: kept(body['subject'], 1_000),
      text: kept(body['text'], MAX_TEXT),
      html: kept(body['html'], MAX_HTML),
      download_url: url,
      expires_at: url === null ? null : (instantIn(raw['expires_at'])?.toISOString() ?? null),
    },
    attachments: attachmentsIn(body),
  }
}

const kept = (value: unknown, most: number): string | null => {
  const text = textIn(value)
  return text === null ? null : cutTo(text.toWellFormed(), most)
}
