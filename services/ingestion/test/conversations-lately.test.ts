import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { explaining, vacuum } from '@svc/testing'
import { messagesOfLine, messagesOfSigner } from '../src/db/conversations.ts'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

const MOST = 200

let ingestion: TestIngestion
const [quiet, loud] = [randomUUID(), randomUUID()]
beforeAll(async () => {
  ingestion = await startIngestion()
  // Of the quiet one most was heard long ago; of the others all of it within the hour.
  await fill(quiet, 30_000, { minutesAgo: 20 * 24 * 60 })
  await fill('platform', 60_000, { minutesAgo: 20 })
  await fill(loud, 10_000, { minutesAgo: 10 })
  await fill(quiet, 10, { minutesAgo: 5 })
  await vacuum(ingestion.database.ownerUrl, 'conversations')
})
afterAll(() => ingestion?.stop())

/** Conversations of three messages each, every one on a line of its own. */
const fill = (signer: string, count: number, { minutesAgo }: { minutesAgo: number }) =>
  ingestion.sql(
    `INSERT INTO conversations (id, signer, receiver, sender, merchant_id, external_order_id, told, is_of_app, messages, heard_at)
     SELECT gen_random_uuid(), $1, '23480', n::text, gen_random_uuid(), n::text, '{}', false, 3,
            now() - make_interval(mins => $3) FROM generate_series(1, $2::int) n`,
    [signer, count, minutesAgo],
  )

test('what a message costs does not grow with what was said before, by its sender, its signer or all others', async () => {
  const { query: sql, carriedOut } = explaining(ingestion.service.context.database.worker)
  const line = { receiver: '23480', sender: '7' }
  expect(await messagesOfLine({ sql }, { signer: 'platform', ...line }, MOST)).toBe(3)
  expect(await messagesOfLine({ sql }, { signer: quiet, ...line }, MOST)).toBe(3)
  expect(await messagesOfSigner({ sql }, quiet, MOST)).toBe(30)
  expect(await messagesOfSigner({ sql }, loud, MOST)).toBeGreaterThan(MOST)
  expect(await messagesOfSigner({ sql }, randomUUID(), MOST)).toBe(0)
  expect(carriedOut).toHaveLength(5)
  expect(carriedOut.filter(({ blocks }) => blocks >= 100)).toEqual([])
})
