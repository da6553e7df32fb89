import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { DeadLetter, ListDeadLettersRequest } from '@svc/contracts/ingestion/v1/hook_service'
import { adminCaller, eventually, merchantCaller } from '@svc/testing'
import { chargeBody, idOf, startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
beforeAll(async () => {
  ingestion = await startIngestion()
})
afterAll(() => ingestion.stop())

const list = (asked: Partial<ListDeadLettersRequest> = {}) =>
  ingestion.operator().listDeadLetters({ limit: 0, offset: 0, include_resolved: false, ...asked })

const retry = (id: string) => ingestion.operator().retryDeadLetter({ id })
const end = (id: string, reason = 'Settled on the phone') => ingestion.operator().endDeadLetter({ id, reason })

async function acts(id: string): Promise<AuditRecorded[]> {
  const rows = await ingestion.sql<{ payload: Buffer }>(
    `SELECT payload FROM outbox WHERE type = 'audit.recorded' ORDER BY seq`,
  )
  return rows.map(({ payload }) => AuditRecorded.decode(payload)).filter(({ resource_id }) => resource_id === id)
}

const becomes = (id: string, state: string) => eventually(async () => (await ingestion.stateOf(id)) === state)

async function refusedHook({ merchantId }: { merchantId?: string } = {}): Promise<string> {
  const id = idOf(await ingestion.send({ body: chargeBody(), merchantId }))
  await ingestion.judge(id, 1, 'refused', 'amount_mismatch')
  await becomes(id, 'dead')
  return id
}

async function letter(id: string): Promise<DeadLetter | undefined> {
  const { items } = await list({ limit: 200, include_resolved: true })
  return items.find((item) => item.id === id)
}

describe('what becomes of a hook', () => {
  test.each(['applied', 'ignored'])('that was %s is no dead letter', async (outcome) => {
    const id = idOf(await ingestion.send({ body: chargeBody() }))
    await ingestion.judge(id, 1, outcome)
    await becomes(id, outcome)
    expect(await letter(id)).toBeUndefined()
  })

  test('that was refused is a dead letter with the reason', async () => {
    const merchantId = await ingestion.knownMerchant()
    const id = await refusedHook({ merchantId })
    expect(await letter(id)).toEqual({
      id,
      channel: 'payments-a',
      merchant_id: merchantId,
      status: 'failed',
      attempts: 1,
      error: 'amount_mismatch',
      event: 'charge.success',
      created_at: expect.any(String),
      resolved_at: undefined,
    })
  })

  test('a verdict upon an earlier attempt, however late it comes, overwrites nothing', async () => {
    const id = await refusedHook()
    await retry(id)
    await ingestion.handled(await ingestion.judge(id, 1, 'applied'))
    expect(await ingestion.stateOf(id)).toBe('retrying')
    await ingestion.judge(id, 2, 'applied')
    await becomes(id, 'applied')
    for (const version of [1, 2]) await ingestion.handled(await ingestion.judge(id, version, 'refused', 'late'))
    expect(await letter(id)).toMatchObject({ status: 'resolved', error: 'amount_mismatch' })
  })

  test('a verdict in words that nobody knows is set aside and harms no other hook', async () => {
    const id = idOf(await ingestion.send({ body: chargeBody() }))
    await ingestion.judge(id, 1, 'perhaps')
    await eventually(async () => (await ingestion.sql('SELECT FROM parked WHERE aggregate_id = $1', [id])).length === 1)
    expect(await ingestion.stateOf(id)).toBe('received')
    await refusedHook()
  })
})

describe('a retry', () => {
  test('hands the same bytes on under the next version, and what comes of it resolves the letter', async () => {
    const id = await refusedHook()
    expect((await retry(id)).dead_letter).toMatchObject({ status: 'retrying', attempts: 2, error: 'amount_mismatch' })
    const [first, second] = await eventually(() => {
      const all = ingestion.announced(id)
      return all.length === 2 && all
    })
    expect([first!.version, second!.version]).toEqual([1, 2])
    expect(second!.eventId).not.toBe(first!.eventId)
    expect(second!.hook).toEqual(first!.hook)
    await ingestion.judge(id, 2, 'refused', 'still_wrong')
    await becomes(id, 'dead')
    expect(await letter(id)).toMatchObject({ status: 'failed', attempts: 2, error: 'still_wrong' })
    await retry(id)
    await ingestion.judge(id, 3, 'applied')
    await becomes(id, 'applied')
    expect(await letter(id)).toMatchObject({ status: 'resolved', attempts: 3, resolved_at: expect.any(String) })
  })

  test('pressed by several at once hands it on once', async () => {
    const id = await refusedHook()
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry(id)))
    expect(new Set(answers.map(({ dead_letter }) => dead_letter!.attempts))).toEqual(new Set([2]))
    const outbox = await ingestion.sql(`SELECT FROM outbox WHERE aggregate_id = $1`, [id])
    expect(outbox).toHaveLength(2)
  })

  test('of what nobody can read stays a dead letter, and counts', async () => {
    const id = idOf(await ingestion.send({ body: Buffer.from(`not json ${randomUUID()}`) }))
    expect(await letter(id)).toMatchObject({ status: 'failed', attempts: 1, error: 'unreadable', event: '' })
    expect((await retry(id)).dead_letter).toMatchObject({ status: 'failed', attempts: 2, error: 'unreadable' })
    expect(await ingestion.sql(`SELECT FROM outbox WHERE aggregate_id = $1`, [id])).toEqual([])
  })

  test('of what is resolved, of a hook that was never refused and of nothing are told apart', async () => {
    const resolved = await refusedHook()
    await retry(resolved)
    await ingestion.judge(resolved, 2, 'ignored', 'not_ours')
    await becomes(resolved, 'ignored')
    await expect(retry(resolved)).rejects.toMatchObject({ code: 'already_succeeded' })
    const alive = idOf(await ingestion.send({ body: chargeBody() }))
    for (const id of [alive, randomUUID(), 'nonsense'])
      await expect(retry(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is in the audit log, with who did it', async () => {
    const id = await refusedHook()
    const caller = adminCaller()
    await ingestion.hooksAs(caller).retryDeadLetter({ id })
    const [act] = await acts(id)
    expect(act).toMatchObject({ action: 'ingestion_dead_letter.retry', actor_type: 'admin', actor_id: caller.actor.id })
    expect(JSON.parse(act!.after_json!)).toEqual({ status: 'retrying', attempts: 2 })
  })
})

describe('what can be used is not kept out by what could not', () => {
  async function announcedTwice(id: string) {
    const [, again] = await eventually(() => {
      const all = ingestion.announced(id)
      return all.length === 2 && all
    })
    expect(again!.version).toBe(2)
    return again!.hook
  }

  test('a hook that somebody sent to a wrong address first is handed on again when it comes by the right one', async () => {
    const [stranger, body] = [await ingestion.knownMerchant(), chargeBody()]
    const id = idOf(await ingestion.send({ body, merchantId: stranger }))
    await ingestion.judge(id, 1, 'refused', 'another_merchant')
    await becomes(id, 'dead')
    expect(await ingestion.send({ body, merchantId: stranger })).toMatchObject({ id, status: 'duplicate' })
    expect(await ingestion.send({ body })).toMatchObject({ id, status: 'accepted' })
    expect(await ingestion.send({ body })).toMatchObject({ id, status: 'duplicate' })
    expect((await announcedTwice(id)).merchant_id).toBeUndefined()
  })

  test('a hook that came by the right address while nobody had judged the wrong one is handed on when that is refused', async () => {
    const [stranger, body] = [await ingestion.knownMerchant(), chargeBody()]
    const id = idOf(await ingestion.send({ body, merchantId: stranger }))
    expect(await ingestion.send({ body })).toMatchObject({ id, status: 'duplicate' })
    expect(await ingestion.send({ body, merchantId: stranger })).toMatchObject({ id, status: 'duplicate' })
    await ingestion.judge(id, 1, 'refused', 'another_merchant')
    expect((await announcedTwice(id)).merchant_id).toBeUndefined()
    expect(await letter(id)).toMatchObject({ status: 'retrying', attempts: 2 })
    await ingestion.judge(id, 2, 'refused', 'still_wrong')
    await becomes(id, 'dead')
    await retry(id)
    const again = await eventually(() => ingestion.announced(id)[2] ?? null)
    expect(again.hook.merchant_id).toBeUndefined()
    await ingestion.judge(id, 3, 'applied')
    await becomes(id, 'applied')
  })

  test('a hook that took effect is not handed on again, by whatever address it came meanwhile', async () => {
    const [stranger, body] = [await ingestion.knownMerchant(), chargeBody()]
    const id = idOf(await ingestion.send({ body }))
    expect(await ingestion.send({ body, merchantId: stranger })).toMatchObject({ id, status: 'duplicate' })
    await ingestion.handled(await ingestion.judge(id, 1, 'applied'))
    expect(await ingestion.stateOf(id)).toBe('applied')
    expect(await ingestion.sql('SELECT FROM outbox WHERE aggregate_id = $1', [id])).toHaveLength(1)
    expect(await letter(id)).toBeUndefined()
  })

  test('a hook of which a wrong version came first is handed on again when it comes with other bytes', async () => {
    const reference = randomUUID()
    const [wrong, right] = [chargeBody({ reference, amount: 1 }), chargeBody({ reference, amount: 5_000 })]
    const id = idOf(await ingestion.send({ body: wrong }))
    await ingestion.judge(id, 1, 'refused', 'amount_mismatch')
    await becomes(id, 'dead')
    expect(await ingestion.send({ body: wrong })).toMatchObject({ id, status: 'duplicate' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => ingestion.send({ body: right })))
    expect(answers.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    expect((await announcedTwice(id)).body.equals(right)).toBe(true)
    await ingestion.judge(id, 2, 'applied')
    await becomes(id, 'applied')
    expect(await ingestion.send({ body: wrong })).toMatchObject({ id, status: 'duplicate' })
  })
})

describe('the list', () => {
  test('is newest first, in pages, of one merchant where one is named, without what is resolved', async () => {
    const merchantId = await ingestion.knownMerchant()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift(await refusedHook({ merchantId }))
    await refusedHook()
    const idsOf = async (asked: Partial<ListDeadLettersRequest>) => {
      const { items, total } = await list({ merchant_id: merchantId, ...asked })
      return { ids: items.map(({ id }) => id), total }
    }
    expect(await idsOf({})).toEqual({ ids, total: 3 })
    expect(await idsOf({ limit: 2, offset: 1 })).toEqual({ ids: ids.slice(1), total: 3 })
    expect(await idsOf({ offset: 5 })).toEqual({ ids: [], total: 3 })
    await retry(ids[0]!)
    await ingestion.judge(ids[0]!, 2, 'applied')
    await becomes(ids[0]!, 'applied')
    expect(await idsOf({})).toEqual({ ids: ids.slice(1), total: 2 })
    expect(await idsOf({ include_resolved: true })).toEqual({ ids, total: 3 })
  })

  test('refuses a page or a merchant that cannot be', async () => {
    for (const asked of [{ limit: 201 }, { limit: -1 }, { offset: -1 }, { merchant_id: 'nobody' }])
      await expect(list(asked)).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('and the retry are for operators who may', async () => {
    const id = await refusedHook()
    const asked = { limit: 0, offset: 0, include_resolved: false }
    const reader = ingestion.hooksAs(adminCaller({ permissions: ['admin.ingestion.read'] }))
    const writer = ingestion.hooksAs(adminCaller({ permissions: ['admin.ingestion.retry'] }))
    const merchant = ingestion.hooksAs(merchantCaller())
    for (const attempt of [
      merchant.listDeadLetters(asked),
      merchant.retryDeadLetter({ id }),
      ingestion.anyone().listDeadLetters(asked),
      ingestion.anyone().retryDeadLetter({ id }),
      reader.retryDeadLetter({ id }),
      merchant.endDeadLetter({ id, reason: 'none of theirs' }),
      reader.endDeadLetter({ id, reason: 'none of theirs' }),
      writer.listDeadLetters(asked),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('an operator who ends a dead letter', () => {
  test('resolves it for good: no delivery of its event takes it up, and the audit log says who did so and why', async () => {
    const key = `ref-${randomUUID()}`
    const body = chargeBody({ reference: key })
    const id = idOf(await ingestion.send({ body }))
    await ingestion.judge(id, 1, 'refused', 'amount_mismatch')
    await becomes(id, 'dead')
    const caller = adminCaller()
    const { dead_letter } = await ingestion.hooksAs(caller).endDeadLetter({ id, reason: 'Settled on the phone' })
    expect(dead_letter).toMatchObject({ id, status: 'resolved', error: 'ended', resolved_at: expect.any(String) })
    expect((await list({ limit: 200 })).items.map((item) => item.id)).not.toContain(id)

    // Neither the same bytes nor others of the same event.
    for (const again of [body, Buffer.concat([body, Buffer.from('\n')])])
      expect(await ingestion.send({ body: again })).toMatchObject({ id, status: 'duplicate' })
    expect(await ingestion.stateOf(id)).toBe('ignored')

    // Once, however often it is said.
    expect((await end(id, 'again')).dead_letter).toEqual(dead_letter)
    const told = await acts(id)
    expect(told).toMatchObject([{ action: 'ingestion_dead_letter.end', actor_id: caller.actor.id }])
    expect(JSON.parse(told[0]!.after_json!)).toEqual({
      status: 'resolved',
      attempts: 1,
      reason: 'Settled on the phone',
    })
  })

  test('may think better of it: a retry hands it on, and it is judged as any other', async () => {
    const id = await refusedHook()
    await end(id)
    expect((await retry(id)).dead_letter).toMatchObject({ status: 'retrying', attempts: 2, resolved_at: undefined })
    await ingestion.judge(id, 2, 'applied')
    await becomes(id, 'applied')
    expect(await letter(id)).toMatchObject({ status: 'resolved' })
  })

  test('is told where there is nothing to end: on its way, resolved otherwise, none at all, or no reason', async () => {
    const underWay = await refusedHook()
    await retry(underWay)
    await expect(end(underWay)).rejects.toMatchObject({ code: 'invalid_state' })
    await ingestion.judge(underWay, 2, 'ignored', 'not_ours')
    await becomes(underWay, 'ignored')
    await expect(end(underWay)).rejects.toMatchObject({ code: 'already_succeeded' })
    for (const id of [randomUUID(), 'nonsense']) await expect(end(id)).rejects.toMatchObject({ code: 'not_found' })
    const dead = await refusedHook()
    for (const reason of ['', 'x'.repeat(513)])
      await expect(end(dead, reason)).rejects.toMatchObject({ code: 'validation_error' })
    expect(await ingestion.stateOf(dead)).toBe('dead')
  })
})
