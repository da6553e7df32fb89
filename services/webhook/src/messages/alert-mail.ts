import type { ClaimedAlert } from '../db/alerts.ts'

/** The mail of one alert. It names the receiver's host only: a URL may hold a token. */
export function alertMail(alert: ClaimedAlert): { subject: string; text: string; template: string } {
  const host = alert.url && URL.canParse(alert.url) ? new URL(alert.url).host : 'your endpoint'
  const environment = alert.isTest ? 'test' : 'live'
  const what =
    alert.kind === 'first_dead'
      ? `A webhook to ${host} could not be delivered: all attempts have failed.`
      : `The last 50 webhook attempts to ${host} have failed.`
  return {
    template: `webhook_${alert.kind}`,
    subject:
      alert.kind === 'first_dead'
        ? `A webhook to ${host} could not be delivered (${environment})`
        : `Your webhook endpoint ${host} keeps failing (${environment})`,
    text: [
      `Hello ${alert.name},`,
      what,
      `Environment: ${environment}. Last error: ${alert.lastError ?? 'unknown'}.`,
      'No event is lost: read them from GET /v1/events, or send them again once your endpoint answers ' +
        '(POST /v1/me/outbound-webhook/replay).',
    ].join('\n\n'),
  }
}
