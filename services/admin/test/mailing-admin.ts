import { LOCAL_OBJECT_STORE } from '../../../deploy/local/src/providers/object-store/provider.ts'
import { createProviders } from '../../../deploy/local/src/providers/server.ts'
import type { OutboxItem } from '../../../deploy/local/src/providers/world.ts'
import { startAdmin } from './start-admin.ts'

/** The admin service beside the doubles of its mail provider and of its object store, and what people have got. */
export async function mailingAdmin(settings: Record<string, string> = {}) {
  const providers = createProviders()
  await providers.start()
  const admin = await startAdmin({
    MAIL_API_URL: `${providers.url()}/email-a`,
    MAIL_API_KEY: 'the-mail-key-of-a-test',
    ACCOUNT_PAGES_URL: 'https://pages.example/account/',
    OBJECT_STORE_BUCKET_URL: `${providers.url()}/object-store/kyb`,
    OBJECT_STORE_ACCESS_KEY_ID: LOCAL_OBJECT_STORE.accessKeyId,
    OBJECT_STORE_SECRET_ACCESS_KEY: LOCAL_OBJECT_STORE.secretAccessKey,
    ...settings,
  })

  async function control<T>(path: string, body?: object): Promise<T> {
    const answer = await fetch(`${providers.url()}/__control/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  return {
    ...admin,
    control,
    /** Mails to the address, oldest first. */
    async mailsTo(email: string, template?: string): Promise<OutboxItem[]> {
      const { items } = await control<{ items: OutboxItem[] }>('outbox')
      return items.filter((item) => item.to === email && (template === undefined || item.template === template))
    },
    /** What became of the mails that were recorded for the address, oldest first. */
    async mailIntents(
      email: string,
      about?: string,
    ): Promise<Array<{ about: string; state: string; mail: string | null }>> {
      const { rows } = await admin.worker.query(
        `SELECT payload ->> 'about' AS about, state, outcome ->> 'mail' AS mail FROM intent
          WHERE kind = 'account_mail' AND payload ->> 'email' = $1
            AND ($2::text IS NULL OR payload ->> 'about' = $2) ORDER BY created_at, id`,
        [email, about ?? null],
      )
      return rows
    },
    async stop() {
      await admin.stop()
      await providers.stop()
    },
  }
}

export type MailingAdmin = Awaited<ReturnType<typeof mailingAdmin>>
