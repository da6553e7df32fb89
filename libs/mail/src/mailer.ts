import { ServiceError } from '@svc/errors'
import { Agent, type Dispatcher } from 'undici'
import { MailRefusedError } from './mail-refused-error.ts'

const TIMEOUT_MS = 12_000
const MAX_REPLY_BYTES = 64 * 1024

export interface MailerOptions {
  /** Base URL of the provider; the mail goes to `{baseUrl}/emails`. */
  baseUrl: string
  apiKey: string
  /** `Name <address>` */
  from: string
  timeoutMs?: number
}

export interface Mail {
  to: string
  subject: string
  text: string
  html?: string
  /** What kind of mail this is, for the provider's statistics. */
  template?: string
  /** The provider sends one mail per key, however often the call is repeated. */
  idempotencyKey: string
}

export interface Mailer {
  sendMail(mail: Mail): Promise<{ id: string }>
  close(): Promise<void>
}

/**
 * Sends mail through the provider's HTTP API. Throws service_unavailable where a repetition may succeed (no answer within
 * 12 s, 408, 409, 429, 5xx) and MailRefusedError where it cannot.
 */
export function mailer({ baseUrl, apiKey, from, timeoutMs = TIMEOUT_MS }: MailerOptions): Mailer {
  const agent = new Agent({ connect: { timeout: timeoutMs }, maxResponseSize: MAX_REPLY_BYTES })
  const url = new URL('emails', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)

  async function post(mail: Mail): Promise<{ status: number; text: string; retryAfter: number }> {
    const { to, subject, text, html, template, idempotencyKey } = mail
    const tags = template === undefined ? undefined : [{ name: 'template', value: template }]
    const options: Dispatcher.RequestOptions = {
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ from, to: [to], subject, text, html, tags }),
      signal: AbortSignal.timeout(timeoutMs),
    }
    try {
      const { statusCode, headers, body } = await agent.request(options)
      return { status: statusCode, text: await body.text(), retryAfter: Number(headers['retry-after']) }
    } catch (cause) {
      throw new ServiceError('service_unavailable', { message: 'The mail provider does not answer.', cause })
    }
  }

  return {
    async sendMail(mail) {
      const { status, text, retryAfter } = await post(mail)
      if (status >= 200 && status < 300) return { id: idOf(text) }
      if (status < 500 && ![408, 409, 429].includes(status)) throw new MailRefusedError(status, text.slice(0, 200))
      throw new ServiceError('service_unavailable', {
        message: `The mail provider answered ${status}.`,
        retryAfterSeconds: retryAfter > 0 ? Math.ceil(retryAfter) : undefined,
      })
    },
    close: () => agent.destroy(),
  }
}

/** The mail is accepted whatever the rest of the reply looks like: an odd body must not make it be sent again. */
function idOf(text: string): string {
  try {
    const { id } = JSON.parse(text) as { id?: unknown }
    return typeof id === 'string' ? id : ''
  } catch {
    return ''
  }
}
