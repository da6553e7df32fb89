import type { Database } from '@svc/database'
import { type Part, worker } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { type Mailer, MailRefusedError } from '@svc/mail'
import { type AlertRow, alertMail } from '../messages/alert-mail.ts'

const POLL_MS = 2_000
/** Longer than one attempt to send: until then no other process takes the row. */
const LEASE_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

const logger = createLogger('webhook.alerts')

/** Due alerts whose merchant is known; the claim is a lease, so that a crash repeats the mail under its idempotency key. */
const CLAIM = `
UPDATE alert a SET tries = a.tries + 1, next_at = app_now() + $1 * interval '1 millisecond'
  FROM merchant m
 WHERE m.merchant_id = a.merchant_id AND a.id = (
   SELECT t.id FROM alert t JOIN merchant o ON o.merchant_id = t.merchant_id
    WHERE t.sent_at IS NULL AND t.next_at <= app_now() ORDER BY t.next_at LIMIT 1 FOR UPDATE OF t SKIP LOCKED)
RETURNING a.id, a.kind, a.is_test, a.url, a.last_error, a.tries, m.name, m.email`

/** Writes to the owner of an endpoint that fails: each alert row becomes one mail, whatever dies in between. */
export function alertMailer({ database, mail }: { database: Database; mail: Mailer }): Part {
  const sending = worker({
    name: 'alerts',
    pollMs: POLL_MS,
    failed: 'alerts could not be read',
    async work() {
      const { rows } = await database.worker.query<AlertRow & { id: string; tries: number }>(CLAIM, [LEASE_MS])
      const [alert] = rows
      if (alert) await sendOne(alert)
      return alert !== undefined
    },
  })

  async function sendOne(alert: AlertRow & { id: string; tries: number }): Promise<void> {
    try {
      await mail.sendMail({ ...alertMail(alert), to: alert.email, idempotencyKey: alert.id })
    } catch (err) {
      if (!(err instanceof MailRefusedError)) {
        const delayMs = Math.min(LEASE_MS * 2 ** (alert.tries - 1), LONGEST_DELAY_MS)
        logger.warn({ err, alert_id: alert.id, delay_ms: delayMs }, 'an alert was not sent; it will be tried again')
        await database.worker.query(
          `UPDATE alert SET next_at = app_now() + $2 * interval '1 millisecond' WHERE id = $1`,
          [alert.id, delayMs],
        )
        return
      }
      logger.error({ err, alert_id: alert.id }, 'the mail provider refuses an alert for good')
    }
    await database.worker.query('UPDATE alert SET sent_at = app_now() WHERE id = $1', [alert.id])
  }

  return {
    ...sending,
    async stop() {
      await sending.stop()
      await mail.close()
    },
  }
}
