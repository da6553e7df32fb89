import type { ClaimedAlert } from '../db/alerts.ts'

const WORDS: Record<ClaimedAlert['kind'], (host: string) => { subject: string; what: string }> = {
  first_dead: (host) => ({
    subject: `A webhook to ${host} could not be delivered`,
    what: `A webhook to ${host} could not be delivered: all attempts have failed.`,
  }),
  endpoint_failing: (host) => ({
    subject: `Your webhook endpoint ${host} keeps failing`,
    what: `The last 50 webhook attempts to ${host} have failed.`,
  }),
  endpoint_disabled: (host) => ({
    subject: `Your webhook endpoint ${host} was disabled`,
    what: `Your webhook endpoint ${host} has not answered for so long that we have disabled it. Enable it again once it does.`,
  }),
}

/** The mail of one alert. It names the receiver's host only: a URL may hold a token. */
export function alertMail(alert: ClaimedAlert): { subject: string; text: string; template: string } {
  const host = alert.url && URL.canParse(alert.url) ? new URL(alert.url).host : 'your endpoint'
  const environment = alert.isTest ? 'test' : 'live'
  const { subject, what } = WORDS[alert.kind](host)
  return {
    template: `webhook_${alert.kind}`,
    subject: `${subject} (${environment})`,
    text: [
      `Hello ${alert.name},`,
      what,
      `Environment: ${environment}. Last error: ${alert.lastError ?? 'unknown'}.`,
      'No event is lost: read them from GET /v1/events, or send them again once your endpoint answers ' +
        '(POST /v1/me/outbound-webhook/replay).',
    ].join('\n\n'),
  }
}
