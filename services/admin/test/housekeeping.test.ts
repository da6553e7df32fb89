import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { openDatabase } from '@svc/database'
import { eventually } from '@svc/testing'
import { readConfig } from '../src/config.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { housekeeping } from '../src/workers/housekeeping.ts'
import { signUp, startAdmin } from './start-admin.ts'

test('what ended long ago goes, what still counts stays: families, failures, revoked keys, inquiries', async () => {
  const admin = await startAdmin()
  const { url, workerUrl } = admin.database
  const database = await openDatabase({ name: 'admin', url, workerUrl, migrations, poolSize: 1 })
  const keeper = housekeeping({ config: readConfig(admin.env), database })
  try {
    const { caller, merchantId } = await signUp(admin)
    await admin.credentials.as(caller).exchangeApiKey({})
    const ended = randomUUID()
    await admin.worker.query(
      `INSERT INTO sessions (id, merchant_id, credential, generation, rotated_at, issued_at, expires_at, epoch, created_at)
       VALUES ($1, $2, 'key:x', 1, now(), now(), now() - interval '25 hours', 0, now())`,
      [ended, merchantId],
    )
    await admin.worker.query(
      "INSERT INTO login_failures (subject, at) VALUES ('old', now() - interval '61 minutes'), ('new', now() - interval '59 minutes')",
    )
    await admin.worker.query(
      `INSERT INTO api_keys (id, merchant_id, key_id, secret_hmac, prefix, last4, scopes, is_test, epoch, created_at, revoked_at)
       SELECT gen_random_uuid(), $1, 'k' || lpad(days::text, 11, '0'), decode(repeat('00', 32), 'hex'), 'svc', 'last', '{}', true,
              1, app_now(), app_now() - days * interval '1 day' FROM unnest(ARRAY[367, 360]) AS days`,
      [merchantId],
    )
    await admin.worker.query(
      `INSERT INTO contact_inquiries (id, source, name, email, review_status, created_at)
       SELECT gen_random_uuid(), 'web', 'Ada', days || '@a.example', 'open', app_now() - days * interval '1 day'
         FROM unnest(ARRAY[367, 360]) AS days`,
    )
    for (const part of keeper) await part.start?.()
    const left = async () => {
      const { rows } = await admin.worker.query(
        `SELECT (SELECT json_agg(id <> $1) FROM sessions) AS sessions,
                (SELECT json_agg(encode(subject, 'escape')) FROM login_failures) AS failures,
                (SELECT json_agg(key_id) FROM api_keys WHERE revoked_at IS NOT NULL) AS keys,
                (SELECT json_agg(email) FROM contact_inquiries WHERE source = 'web') AS inquiries`,
        [ended],
      )
      return rows[0]
    }
    await eventually(async () =>
      expect(await left()).toEqual({
        sessions: [true],
        failures: ['new'],
        keys: ['k00000000360'],
        inquiries: ['360@a.example'],
      }),
    )
  } finally {
    for (const part of keeper) await part.stop?.()
    await database.close()
    await admin.stop()
  }
})
