import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { publishedBodies } from '@svc/testing/published-bodies'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

const { arePresent, files, signed, read } = publishedBodies('payments-a')

const WANTED =
  /^(charge\.success|customeridentification\.|transfer\.|invoice\.|subscription\.(create|disable|not_renew))/
/** For a person, who is told by a dead letter. */
const PERSONAL = /^(charge\.dispute\.|refund\.processed$)/

;(arePresent ? describe : describe.skip)('the published bodies', () => {
  let ingestion: TestIngestion
  beforeAll(async () => {
    ingestion = await startIngestion()
  })
  afterAll(() => ingestion.stop())

  test('are accepted where somebody acts upon them and ignored elsewhere, and none is unreadable', async () => {
    const bodies = files.filter((name) => name.endsWith('.json'))
    expect(bodies.length).toBeGreaterThan(20)
    for (const file of bodies) {
      const body = read(file)
      const { status } = await ingestion.send({ body })
      const { event } = JSON.parse(body.toString()) as { event: string }
      // Some samples tell of one payment.
      const isTaken = WANTED.test(event) || PERSONAL.test(event)
      if (status !== 'duplicate') expect([event, status]).toEqual([event, isTaken ? 'accepted' : 'ignored'])
    }
    const [kept] = await ingestion.sql<{ count: number }>('SELECT count(*)::int FROM inbound_hooks')
    expect(kept!.count).toBeGreaterThan(20)
    const dead = await ingestion.sql<{ event: string }>(
      `SELECT event FROM inbound_hooks WHERE state = 'dead' ORDER BY id`,
    )
    expect(dead.filter(({ event }) => !PERSONAL.test(event))).toEqual([])
  })

  test('verify by the signatures that were computed elsewhere', async () => {
    expect(signed.length).toBeGreaterThan(20)
    const secrets = new Set(signed.map(({ secret }) => secret))
    expect(secrets.size).toBe(1)
    const [secret] = secrets
    const other = await startIngestion({ PAYMENTS_SECRET_KEY: secret! })
    try {
      for (const { file, headers } of signed) {
        const sent = { channel: 'payments-a', body: read(file), exhausted_signers: [] }
        const named = Object.entries(headers).map(([name, value]) => ({ name, value }))
        const { status } = await other.anyone().receiveHook({ ...sent, headers: named })
        expect([file, ['accepted', 'ignored', 'duplicate'].includes(status)]).toEqual([file, true])
      }
    } finally {
      await other.stop()
    }
  })
})
