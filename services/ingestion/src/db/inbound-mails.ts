import type { Tx } from '@svc/transact'
import type { MailRecord } from '../domain/mail.ts'

interface KeptMail {
  /** Which attempt of the hook it was fetched for. */
  attempt: number
  record: MailRecord | null
}

/** What was fetched of the mail of a hook; null: nothing was tried yet. */
export async function findMail(tx: Tx, hookId: string): Promise<KeptMail | null> {
  const { rows } = await tx.sql<KeptMail>('SELECT attempt, record FROM inbound_mails WHERE hook_id = $1', [hookId])
  return rows[0] ?? null
}

/** Keeps what was fetched; where there is nothing any more, what was fetched before stays. */
export async function storeMail(tx: Tx, hookId: string, { attempt, record }: KeptMail): Promise<void> {
  await tx.sql(
    `INSERT INTO inbound_mails (hook_id, attempt, record, fetched_at) VALUES ($1, $2, $3, app_now())
     ON CONFLICT (hook_id) DO UPDATE SET
       attempt = excluded.attempt, record = coalesce(excluded.record, inbound_mails.record), fetched_at = app_now()`,
    [hookId, attempt, record === null ? null : JSON.stringify(record)],
  )
}
