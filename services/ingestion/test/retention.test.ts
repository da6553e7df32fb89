import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Part } from '@svc/lifecycle'
import { eventually } from '@svc/testing'
import { endDeadLetters } from '../src/db/hooks.ts'
import { endOldDeadLetters, forgetHooks } from '../src/use-cases/forget-hooks.ts'
import { retention } from '../src/workers/retention.ts'
import { EMAIL_SECRET, mailNotice, sendMail } from './email.ts'
import { chargeBody, idOf, startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
beforeAll(async () => {
  ingestion = await startIngestion({
    HOOK_RETENTION_DAYS: '30',
    DEAD_MAIL_RETENTION_DAYS: '90',
    DEAD_LETTER_RETENTION_DAYS: '365',
    EMAIL_INBOUND_SECRET: EMAIL_SECRET,
  })
})
afterAll(() => ingestion.stop())

async function hookIn(state: string, ageDays: number): Promise<string> {
  const id = idOf(await ingestion.send({ body: chargeBody() }))
  if (state !== 'received') {
    await ingestion.judge(id, 1, state === 'dead' ? 'refused' : state)
    await eventually(async () => (await ingestion.stateOf(id)) === state)
  }
  await ingestion.sql(
    `UPDATE inbound_hooks SET received_at = app_now() - make_interval(days => $2),
            handed_on_at = app_now() - make_interval(days => $2) WHERE id = $1`,
    [id, ageDays],
  )
  return id
}

const metric = async (name: string): Promise<number> => {
  const response = await fetch(`http://${ingestion.service.opsAddress()}/metrics`)
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `))
  return Number(line?.split(' ')[1])
}

const areOld = (columns: readonly string[], days: number) =>
  ingestion.sql(
    `UPDATE inbound_hooks SET ${columns.map((name) => `${name} = app_now() - make_interval(days => $1)`).join(', ')}`,
    [days],
  )

async function letters(include_resolved: boolean): Promise<Record<string, [status: string, error: string]>> {
  const { items } = await ingestion.operator().listDeadLetters({ limit: 0, offset: 0, include_resolved })
  return Object.fromEntries(items.map(({ id, status, error }) => [id, [status, error]]))
}

const retry = (id: string) => ingestion.operator().retryDeadLetter({ id })

/** A notice of mail that is no order, and its dead letter. */
async function deadMail(data: Record<string, unknown> = {}): Promise<{ id: string; notice: string }> {
  const notice = mailNotice(await ingestion.knownMerchant(), data)
  const id = idOf(await sendMail(ingestion, notice))
  await eventually(async () => (await ingestion.stateOf(id)) === 'dead')
  return { id, notice }
}

/** As `deadMail`, ended because nobody has mended it for long. */
async function expiredMail(data?: Record<string, unknown>): Promise<{ id: string; notice: string }> {
  await ingestion.sql('DELETE FROM inbound_hooks')
  const mail = await deadMail(data)
  await areOld(['received_at', 'dead_at', 'handed_on_at'], 91)
  expect(await endOldDeadLetters(ingestion.service.context)).toBe(1)
  expect(await letters(true)).toEqual({ [mail.id]: ['resolved', 'expired'] })
  return mail
}

describe('the past', () => {
  test('goes where it is done with: dead letters stay until they end, and what nobody judged however old it is', async () => {
    const gone = [await hookIn('applied', 31), await hookIn('ignored', 31)]
    const kept = [
      await hookIn('applied', 29),
      await hookIn('ignored', 29),
      await hookIn('dead', 400),
      await hookIn('received', 400),
    ]
    // Not how many: the first round of the service's own chores may still be under way, and take some of them.
    await forgetHooks(ingestion.service.context)
    const rows = await ingestion.sql<{ id: string }>('SELECT id FROM inbound_hooks')
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(kept))
    expect(gone.filter((id) => kept.includes(id))).toEqual([])
    expect(await forgetHooks(ingestion.service.context)).toBe(0)
  })

  test('that waits for somebody shows in the metrics', async () => {
    await ingestion.sql('DELETE FROM inbound_hooks')
    expect([await metric('hook_oldest_unjudged_seconds'), await metric('hook_dead_letters')]).toEqual([0, 0])
    await hookIn('received', 2)
    await hookIn('dead', 5)
    expect(await metric('hook_oldest_unjudged_seconds')).toBeGreaterThan(2 * 86_400 - 60)
    expect(await metric('hook_oldest_unjudged_seconds')).toBeLessThan(2 * 86_400 + 60)
    expect(await metric('hook_dead_letters')).toBe(1)
  })

  test('of mail that is no order ends by itself, is shown for as long as hooks are, and goes; a dead payment stays a year', async () => {
    await ingestion.sql('DELETE FROM inbound_hooks')
    const { context } = ingestion.service
    const { id: mail } = await deadMail()
    const payment = await hookIn('dead', 91)
    const before = await letters(false)
    expect(before[mail]).toEqual(['failed', 'needs_details'])

    // Since it was tried last 89 days have passed.
    await areOld(['received_at', 'dead_at'], 91)
    await areOld(['handed_on_at'], 89)
    expect([await endOldDeadLetters(context), await letters(false)]).toEqual([0, before])

    await areOld(['handed_on_at'], 91)
    expect([await endOldDeadLetters(context), await endOldDeadLetters(context)]).toEqual([1, 0])
    expect(await letters(false)).toEqual({ [payment]: before[payment] })
    expect((await letters(true))[mail]).toEqual(['resolved', 'expired'])
    const [job] = await ingestion.sql('SELECT status, error FROM normalization_jobs WHERE id = $1', [mail])
    expect(job).toEqual({ status: 'ignored', error: 'needs_details' })

    expect(await forgetHooks(context)).toBe(0)
    await ingestion.sql(`UPDATE inbound_hooks SET resolved_at = app_now() - interval '31 days' WHERE id = $1`, [mail])
    expect(await forgetHooks(context)).toBe(1)
    expect([await ingestion.stateOf(mail), await ingestion.stateOf(payment)]).toEqual([undefined, 'dead'])
    await areOld(['dead_at', 'handed_on_at'], 364)
    expect(await endOldDeadLetters(context)).toBe(0)
    await areOld(['dead_at', 'handed_on_at'], 366)
    expect([await endOldDeadLetters(context), await endOldDeadLetters(context)]).toEqual([1, 0])
    expect((await letters(true))[payment]).toEqual(['resolved', 'expired'])
  })
})

describe('a retry of a dead letter of mail', () => {
  test('that fails at once postpones its end as any other', async () => {
    await ingestion.sql('DELETE FROM inbound_hooks')
    const { context } = ingestion.service
    const id = idOf(await sendMail(ingestion, `not json ${randomUUID()}`))
    expect(await letters(false)).toEqual({ [id]: ['failed', 'unreadable'] })
    await areOld(['received_at', 'dead_at'], 91)
    expect((await retry(id)).dead_letter).toMatchObject({ status: 'failed', attempts: 2, error: 'unreadable' })
    expect([await endOldDeadLetters(context), await letters(false)]).toEqual([0, { [id]: ['failed', 'unreadable'] }])
    await areOld(['handed_on_at'], 91)
    expect(await endOldDeadLetters(context)).toBe(1)
  })

  test('that has expired hands it on again, and its end is postponed', async () => {
    const { id } = await expiredMail()
    expect((await retry(id)).dead_letter).toMatchObject({
      status: 'retrying',
      attempts: 2,
      error: '',
      resolved_at: undefined,
    })
    await eventually(async () => (await letters(false))[id]?.[0] === 'failed')
    expect(await letters(false)).toEqual({ [id]: ['failed', 'needs_details'] })
    expect([await endOldDeadLetters(ingestion.service.context), await ingestion.stateOf(id)]).toEqual([0, 'dead'])
  })
})

describe('another delivery of mail whose dead letter has expired', () => {
  test('is handed on in its place; the same bytes again are a duplicate', async () => {
    const { id, notice } = await expiredMail()
    expect(await sendMail(ingestion, notice)).toMatchObject({ id, status: 'duplicate' })
    expect(await ingestion.stateOf(id)).toBe('ignored')

    const { data, ...rest } = JSON.parse(notice)
    const corrected = JSON.stringify({ ...rest, data: { ...data, subject: 'Order 18' } })
    expect(await sendMail(ingestion, corrected)).toMatchObject({ id, status: 'accepted' })
    await eventually(async () => (await ingestion.stateOf(id)) === 'dead')
    expect(await letters(false)).toEqual({ [id]: ['failed', 'needs_details'] })
    expect(await sendMail(ingestion, corrected)).toMatchObject({ id, status: 'duplicate' })
  })
})

/** How a statement was carried out. */
interface Plan {
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Rows that a statement read and had no use for. */
const leftOut = (plan: Plan): number =>
  (plan.Plans ?? []).reduce((sum, inner) => sum + leftOut(inner), plan['Rows Removed by Filter'] ?? 0)

describe('a round of retention', () => {
  /** One round of another replica. */
  async function round(isDone: () => Promise<boolean>): Promise<void> {
    const part: Part = retention(ingestion.service.context)
    await part.start?.()
    try {
      await eventually(isDone)
    } finally {
      await part.stop?.()
    }
  }

  test('forgets hooks also where dead letters cannot be ended, and the alert tells of those', async () => {
    await ingestion.sql('DELETE FROM inbound_hooks')
    const { id: mail } = await deadMail()
    await areOld(['received_at', 'dead_at', 'handed_on_at'], 91)
    const done = await hookIn('applied', 31)
    await ingestion.asOwner(
      `ALTER TABLE inbound_hooks ADD CONSTRAINT none_ends CHECK (reason IS DISTINCT FROM 'expired') NOT VALID`,
    )
    const alerts = async () => {
      const count = await metric('alerts_total{alert="sweep_failed"}')
      return Number.isNaN(count) ? 0 : count
    }
    try {
      const before = await alerts()
      await round(async () => (await ingestion.stateOf(done)) === undefined)
      expect([await ingestion.stateOf(mail), (await alerts()) - before]).toEqual(['dead', 1])
    } finally {
      await ingestion.asOwner('ALTER TABLE inbound_hooks DROP CONSTRAINT none_ends')
    }
    await round(async () => (await letters(true))[mail]?.[1] === 'expired')
  })

  test('that is stopped begins nothing more', async () => {
    await ingestion.sql('DELETE FROM inbound_hooks')
    const { context } = ingestion.service
    const { id: mail } = await deadMail()
    await areOld(['received_at', 'dead_at', 'handed_on_at'], 91)
    const done = await hookIn('applied', 31)
    expect([
      await endOldDeadLetters(context, AbortSignal.abort()),
      await forgetHooks(context, AbortSignal.abort()),
    ]).toEqual([0, 0])
    expect([await ingestion.stateOf(mail), await ingestion.stateOf(done)]).toEqual(['dead', 'applied'])
  })

  test('reads what it ends, however many older dead letters of other channels and of later attempts stay', async () => {
    await ingestion.sql('DELETE FROM inbound_hooks')
    // Payments older than all mail, and mail that was tried lately.
    await ingestion.sql(
      `INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, headers, body, event, state, attempts, received_at,
                                  handed_on_at, dead_at)
       SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'payments-a' ELSE 'email-a' END, 'platform', n::text, '{}', '', '',
              'dead', 2, app_now(), CASE WHEN n % 2 = 1 THEN app_now() END, app_now() - interval '300 days'
         FROM generate_series(1, 20000) n`,
    )
    await ingestion.sql(
      `INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, headers, body, event, state, attempts, received_at, dead_at)
       SELECT gen_random_uuid(), 'email-a', 'platform', 'old ' || n, '{}', '', '', 'dead', 1, app_now(),
              app_now() - interval '91 days'
         FROM generate_series(1, 20) n`,
    )
    await ingestion.asOwner('VACUUM ANALYZE inbound_hooks')
    const { worker } = ingestion.service.context.database
    const plans: Plan[] = []
    const explaining = new Proxy(worker, {
      get: (pool, key) =>
        key === 'query'
          ? async (text: string, values: unknown[]) => {
              const found = await pool.query<{ 'QUERY PLAN': Array<{ Plan: Plan }> }>(
                `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
                values,
              )
              plans.push(...found.rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan)))
              return found
            }
          : Reflect.get(pool, key),
    })
    await endDeadLetters(explaining, { channels: ['email-a', 'email-b'], days: 90 }, 500)
    expect(plans.map(leftOut)).toEqual([0])
    expect(await endOldDeadLetters(ingestion.service.context)).toBe(0)
    const [left] = await ingestion.sql(`SELECT count(*)::int AS dead FROM inbound_hooks WHERE state = 'dead'`)
    expect(left).toEqual({ dead: 20_000 })
  })
})
