import type { Database } from '@svc/database'
import { type Part, worker } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { type Mailer, MailRefusedError, mailer } from '@svc/mail'
import type { Context } from '../context.ts'
import { type ClaimedAlert, claimAlert, postponeAlert, storeAlertSent } from '../db/alerts.ts'
import { alertMail } from '../messages/alert-mail.ts'

const POLL_MS = 2_000
/** Longer than one attempt to send: until then no other process takes the row. */
const LEASE_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

const logger = createLogger('webhook.alerts')

/** Without a mail provider alerts wait in their table. */
export function alerts({ config, database }: Pick<Context, 'config' | 'database'>): Part[] {
  const { mailApiUrl: baseUrl, mailApiKey: apiKey, mailFrom: from } = config
  return baseUrl === undefined ? [] : [alertMailer({ database, mail: mailer({ baseUrl, apiKey, from }) })]
}

/** Writes to the owner of an endpoint that fails: each alert row becomes one mail, whatever dies in between. */
function alertMailer({ database, mail }: { database: Database; mail: Mailer }): Part {
  const sending = worker({
    name: 'alerts',
    pollMs: POLL_MS,
    failed: 'alerts could not be read',
    async work() {
      const alert = await claimAlert(database.worker, LEASE_MS)
      if (alert) await sendOne(alert)
      return alert !== undefined
    },
  })

  async function sendOne(alert: ClaimedAlert): Promise<void> {
    try {
      await mail.sendMail({ ...alertMail(alert), to: alert.email, idempotencyKey: alert.id })
    } catch (err) {
      if (!(err instanceof MailRefusedError)) {
        const delayMs = Math.min(LEASE_MS * 2 ** (alert.tries - 1), LONGEST_DELAY_MS)
        logger.warn({ err, alert_id: alert.id, delay_ms: delayMs }, 'an alert was not sent; it will be tried again')
        await postponeAlert(database.worker, alert.id, delayMs)
        return
      }
      logger.error({ err, alert_id: alert.id }, 'the mail provider refuses an alert for good')
    }
    await storeAlertSent(database.worker, alert.id)
  }

  return {
    ...sending,
    async stop() {
      await sending.stop()
      await mail.close()
    },
  }
}
