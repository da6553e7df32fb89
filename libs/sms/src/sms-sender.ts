import { ServiceError } from '@svc/errors'
import { Agent } from 'undici'

const TIMEOUT_MS = 12_000
const MAX_REPLY_BYTES = 64 * 1024

export interface SmsSenderOptions {
  /** Base URL of the provider; messages go to `{baseUrl}/api/sms/send`. */
  baseUrl: string
  apiKey: string
  /** Sender id shown to the receiver. */
  from: string
  timeoutMs?: number
}

export interface Sms {
  /** E.164 */
  to: string
  text: string
  /** By which way it goes: that of one-time codes unless told otherwise. */
  route?: 'dnd' | 'whatsapp'
}

export interface SmsSender {
  /** The provider's name, for logs of what was sent. */
  readonly provider: string
  sendSms(sms: Sms): Promise<void>
  close(): Promise<void>
}

/** The provider refuses this message for good: repeating it would change nothing. */
export class SmsRefusedError extends Error {
  override readonly name = 'SmsRefusedError'
}

/**
 * Sends text messages through the provider's HTTP API. Throws service_unavailable where
 * a repetition may succeed (no answer within 12 s, 408, 429, 5xx) and SmsRefusedError where it cannot. No error names
 * the key or the text.
 */
export function smsSender({ baseUrl, apiKey, from, timeoutMs = TIMEOUT_MS }: SmsSenderOptions): SmsSender {
  const agent = new Agent({ connect: { timeout: timeoutMs }, maxResponseSize: MAX_REPLY_BYTES })
  const url = new URL('api/sms/send', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)

  async function post(sms: Sms): Promise<{ status: number; text: string }> {
    try {
      const { statusCode, body } = await agent.request({
        origin: url.origin,
        path: url.pathname,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          api_key: apiKey,
          to: sms.to.replace(/^\+/, ''),
          from,
          sms: sms.text,
          type: 'plain',
          channel: sms.route ?? 'dnd',
        }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: statusCode, text: await body.text() }
    } catch (cause) {
      throw new ServiceError('service_unavailable', { message: 'The SMS provider does not answer.', cause })
    }
  }

  return {
    provider: 'messaging-a',
    async sendSms(sms) {
      const { status, text } = await post(sms)
      if (status >= 200 && status < 300 && isAccepted(text)) return
      if (status < 500 && status !== 408 && status !== 429) {
        throw new SmsRefusedError(`the SMS provider refused the message (${status})`)
      }
      throw new ServiceError('service_unavailable', { message: `The SMS provider answered ${status}.` })
    },
    close: () => agent.destroy(),
  }
}

/** The provider says so in the body: a 200 may also carry a refusal. */
function isAccepted(text: string): boolean {
  try {
    return (JSON.parse(text) as { code?: unknown }).code === 'ok'
  } catch {
    return false
  }
}
