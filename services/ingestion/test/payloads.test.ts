import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

/** Bodies that the provider has published, beside the repository: they are not ours to keep. */
const PUBLISHED = join(import.meta.dirname, '../../../../shared/payloads')
const published = existsSync(PUBLISHED) ? describe : describe.skip
if (!existsSync(PUBLISHED)) process.emitWarning(`SKIPPED: the published bodies of the provider are not at ${PUBLISHED}`)

const WANTED = /^(charge\.success|transfer\.|invoice\.|subscription\.(create|disable|not_renew))/

published('the published bodies', () => {
  let ingestion: TestIngestion
  beforeAll(async () => {
    ingestion = await startIngestion()
  })
  afterAll(() => ingestion.stop())

  const folder = join(PUBLISHED, 'payments-a')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

  test('are accepted where somebody acts upon them and ignored elsewhere, and none is unreadable', async () => {
    expect(files.length).toBeGreaterThan(20)
    for (const file of files) {
      const body = readFileSync(join(folder, file))
      const { status } = await ingestion.send({ body })
      const { event } = JSON.parse(body.toString()) as { event: string }
      // Some samples tell of one payment.
      if (status !== 'duplicate') expect([event, status]).toEqual([event, WANTED.test(event) ? 'accepted' : 'ignored'])
    }
    const [kept] = await ingestion.sql<{ count: number }>('SELECT count(*)::int FROM inbound_hooks')
    expect(kept!.count).toBeGreaterThan(20)
    expect(await ingestion.sql(`SELECT event FROM inbound_hooks WHERE state = 'dead'`)).toEqual([])
  })

  test('verify by the signatures that were computed elsewhere', async () => {
    const vectors = JSON.parse(readFileSync(join(PUBLISHED, 'signature-vectors.json'), 'utf8')) as {
      computed: Array<{ provider: string; file: string; secret: string; headers: Record<string, string> }>
    }
    const ours = vectors.computed.filter(({ provider }) => provider === 'payments-a')
    expect(ours.length).toBeGreaterThan(20)
    const secrets = new Set(ours.map(({ secret }) => secret))
    expect(secrets.size).toBe(1)
    const [secret] = secrets
    const other = await startIngestion({ PAYMENTS_SECRET_KEY: secret! })
    try {
      for (const { file, headers } of ours) {
        const sent = { channel: 'payments-a', body: readFileSync(join(PUBLISHED, file)), exhausted_signers: [] }
        const named = Object.entries(headers).map(([name, value]) => ({ name, value }))
        const { status } = await other.anyone().receiveHook({ ...sent, headers: named })
        expect([file, ['accepted', 'ignored', 'duplicate'].includes(status)]).toEqual([file, true])
      }
    } finally {
      await other.stop()
    }
  })
})
