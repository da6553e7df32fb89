import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { openDatabase } from '@svc/database'
import { eventually } from '@svc/testing'
import { migrations } from '../src/db/migrations/index.ts'
import { housekeeping } from '../src/workers/housekeeping.ts'
import { signUp, startAdmin } from './start-admin.ts'

test('families that ended and failures of more than an hour ago go, what still counts stays', async () => {
  const admin = await startAdmin()
  const { url, workerUrl } = admin.database
  const database = await openDatabase({ name: 'admin', url, workerUrl, migrations, entities: [], poolSize: 1 })
  const keeper = housekeeping(database)
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
    for (const part of keeper) await part.start?.()
    const left = async () => {
      const { rows } = await admin.worker.query(
        `SELECT (SELECT json_agg(id <> $1) FROM sessions) AS sessions,
                (SELECT json_agg(encode(subject, 'escape')) FROM login_failures) AS failures`,
        [ended],
      )
      return rows[0]
    }
    await eventually(async () => expect(await left()).toEqual({ sessions: [true], failures: ['new'] }))
  } finally {
    for (const part of keeper) await part.stop?.()
    await database.close()
    await admin.stop()
  }
})
