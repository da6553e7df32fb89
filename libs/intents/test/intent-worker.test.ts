import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import {
  beginIntent,
  endIntent,
  type Intent,
  type IntentCall,
  type Intents,
  intentWorker,
  openIntent,
  untilDone,
} from '@svc/intents'
import { renderMetrics } from '@svc/telemetry'
import { eventually } from '@svc/testing'
import { merchantId, parcelService } from '../../transact/test/parcel-service.ts'

let service: Awaited<ReturnType<typeof parcelService>>
const running: Intents[] = []
let shiftMs = 0
beforeAll(async () => {
  service = await parcelService()
})
afterEach(() => Promise.all(running.splice(0).map((worker) => worker.stop())))
afterAll(() => service?.close())

/** Of a kind of its own per test, so that no other worker takes it. */
async function started(kind: string, call: IntentCall): Promise<Intents> {
  const worker = intentWorker({ transact: service.transact, calls: { [kind]: call } })
  running.push(worker)
  await worker.start()
  return worker
}

const open = (kind: string, subjectId: string, payload: object) =>
  service.transact('every tenant', (tx) => openIntent(tx, { kind, subjectId, merchantId, payload }))
const later = async (ms: number) => service.dev.shiftClock((shiftMs += ms))

interface Row {
  state: string
  tries: number
  attempt: number
  outcome: unknown
}
const rows = async (subjectId: string) =>
  (
    await service.database.worker.query<Row>(
      'SELECT state, tries, attempt, outcome FROM intent WHERE subject_id = $1 ORDER BY attempt',
      [subjectId],
    )
  ).rows

test('a call that was settled is made once, whichever of many replicas makes it', async () => {
  const kind = randomUUID()
  const made: string[] = []
  const subjects = Array.from({ length: 20 }, () => randomUUID())
  for (const subject of subjects) await open(kind, subject, {})
  const call = async ({ subject_id }: Intent) => {
    made.push(subject_id)
    return { done: true }
  }
  await Promise.all([started(kind, call), started(kind, call), started(kind, call)])
  await eventually(() => made.length >= subjects.length)
  await eventually(async () => expect((await rows(subjects.at(-1)!))[0]!.state).toBe('applied'))
  expect(made.toSorted()).toEqual(subjects.toSorted())
  expect(await rows(subjects[0]!)).toEqual([{ state: 'applied', tries: 1, attempt: 1, outcome: { done: true } }])
})

test('a call of a transaction that fails is never made', async () => {
  const subjectId = randomUUID()
  const undone = service.transact('every tenant', async (tx) => {
    await openIntent(tx, { kind: 'undone', subjectId, merchantId, payload: {} })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await rows(subjectId)).toEqual([])
})

test('what the other side cannot tell comes again with backoff; what it refuses is over', async () => {
  const kind = randomUUID()
  const subjectId = randomUUID()
  const answers = [new ServiceError('service_unavailable'), new Error('a bug'), new ServiceError('order_terminal')]
  await open(kind, subjectId, {})
  const worker = await started(kind, async () => {
    throw answers.shift()
  })
  for (const tries of [1, 2]) {
    await eventually(async () => expect(await rows(subjectId)).toMatchObject([{ state: 'pending', tries }]))
    await later(10_000)
    worker.wake()
  }
  await eventually(async () => expect((await rows(subjectId))[0]).toMatchObject({ state: 'declined', tries: 3 }))
  expect((await rows(subjectId))[0]!.outcome).toEqual({ error: 'order_terminal' })
  await open(kind, subjectId, {})
  expect((await rows(subjectId)).map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('a call whose maker died is made by another when the lease has ended', async () => {
  const kind = randomUUID()
  const subjectId = randomUUID()
  await open(kind, subjectId, {})
  const dead = Promise.withResolvers<object>()
  const first = await started(kind, () => dead.promise)
  await eventually(async () => expect((await rows(subjectId))[0]!.tries).toBe(1))
  let made = 0
  const second = await started(kind, async () => ({ made: ++made }))
  await later(31_000)
  second.wake()
  await eventually(async () => expect((await rows(subjectId))[0]!.state).toBe('applied'))
  // The one that was thought dead wakes up: too late to say anything.
  dead.resolve({ made: 'too late' })
  await first.stop()
  expect(await rows(subjectId)).toMatchObject([{ outcome: { made: 1 }, tries: 2 }])
})

test('a newer call takes the place of one under way, and what was under way settles nothing', async () => {
  const kind = randomUUID()
  const subjectId = randomUUID()
  const underWay = Promise.withResolvers<void>()
  const seen: unknown[] = []
  await open(kind, subjectId, { n: 1 })
  const worker = await started(kind, async ({ payload }) => {
    seen.push(payload)
    if (seen.length === 1) await underWay.promise
    return {}
  })
  await eventually(() => seen.length === 1)
  await open(kind, subjectId, { n: 2 })
  underWay.resolve()
  worker.wake()
  await eventually(async () => expect((await rows(subjectId))[0]!.state).toBe('applied'))
  expect(seen).toEqual([{ n: 1 }, { n: 2 }])
})

test('a call that its settler makes itself is left to it for its lease; then to anybody, and it ends once', async () => {
  const kind = randomUUID()
  const subjectId = randomUUID()
  const begun = await service.transact('every tenant', (tx) =>
    beginIntent(tx, { kind, subjectId, merchantId, payload: { n: 1 }, earlierAttempts: 0 }, 5),
  )
  expect(begun).toEqual({ id: expect.any(String), attempt: 1 })
  const ended: boolean[] = []
  const end = (id: string, by: string) =>
    service.transact('every tenant', async (tx) => void ended.push(await endIntent(tx, id, 'declined', { by })))
  const seen: Intent[] = []
  const worker = await started(kind, async (intent) => {
    seen.push(intent)
    await end(intent.id, 'worker')
    return null
  })
  await later(4_000)
  worker.wake()
  await open(randomUUID(), randomUUID(), {})
  expect(seen).toEqual([])
  await later(2_000)
  worker.wake()
  await eventually(() => ended.length === 1)
  await end(begun.id, 'settler, too late')
  expect(ended).toEqual([true, false])
  expect(seen).toMatchObject([{ id: begun.id, attempt: 1, payload: { n: 1 }, state: 'pending', tries: 2 }])
  await worker.stop()
  expect(await rows(subjectId)).toMatchObject([{ state: 'declined', outcome: { by: 'worker' } }])
})

test('of a subject with an open call no other is begun, and the transaction that tries is undone', async () => {
  const kind = randomUUID()
  const subjectId = randomUUID()
  const begin = (earlierAttempts = 0) =>
    service.transact('every tenant', (tx) =>
      beginIntent(tx, { kind, subjectId, merchantId, payload: {}, earlierAttempts }, 5),
    )
  const first = await begin()
  await expect(begin()).rejects.toMatchObject({ code: '23505' })
  await service.transact('every tenant', (tx) => endIntent(tx, first.id, 'aborted', {}))
  const second = await begin()
  expect(second.attempt).toBe(2)
  await service.transact('every tenant', (tx) => endIntent(tx, second.id, 'declined', {}))
  await service.database.worker.query('DELETE FROM intent WHERE subject_id = $1', [subjectId])
  expect((await begin(2)).attempt).toBe(3)
})

test('a call that shall be given up is told so at every try, until it has settled whether it can be', async () => {
  const kind = randomUUID()
  const subjectId = randomUUID()
  await open(kind, subjectId, {})
  await service.database.worker.query(`UPDATE intent SET state = 'aborting' WHERE subject_id = $1`, [subjectId])
  const states: string[] = []
  const worker = await started(kind, async ({ id, state }) => {
    states.push(state)
    if (states.length === 1) throw new ServiceError('service_unavailable')
    await service.transact('every tenant', (tx) => endIntent(tx, id, 'aborted', {}))
    return null
  })
  await eventually(async () => expect(await rows(subjectId)).toMatchObject([{ state: 'aborting', tries: 1 }]))
  await later(2_000)
  worker.wake()
  await eventually(async () => expect(await rows(subjectId)).toMatchObject([{ state: 'aborted', tries: 2 }]))
  expect(states).toEqual(['aborting', 'aborting'])
})

describe('a caller that waits for its own call', () => {
  const driverOf = (kind: string, call: IntentCall) =>
    intentWorker({ transact: service.transact, calls: { [kind]: call } })
  const openAsCaller = (kind: string, subjectId: string) =>
    service.transact('every tenant', (tx) => openIntent(tx, { kind, subjectId, merchantId, payload: {} }, 'caller'))

  test('makes it at once and hears its answer; the workers leave it alone until then', async () => {
    const [kind, subjectId] = [randomUUID(), randomUUID()]
    let made = 0
    const running = await started(kind, async () => ({ made: ++made }))
    await openAsCaller(kind, subjectId)
    await open(kind, randomUUID(), {})
    running.wake()
    await eventually(() => made === 1)
    expect(await rows(subjectId)).toMatchObject([{ state: 'pending', tries: 0 }])
    expect(await running.drive(kind, subjectId)).toEqual({ state: 'applied', outcome: { made: 2 } })
  })

  test('that dies in between leaves it to the workers', async () => {
    const [kind, subjectId] = [randomUUID(), randomUUID()]
    await openAsCaller(kind, subjectId)
    const running = await started(kind, async () => ({}))
    await later(6_000)
    running.wake()
    await eventually(async () => expect((await rows(subjectId))[0]!.state).toBe('applied'))
  })

  test('hears of a refusal, and of one try that was not answered, which stays due', async () => {
    const [kind, subjectId] = [randomUUID(), randomUUID()]
    const answers = [new ServiceError('service_unavailable'), new ServiceError('order_terminal')]
    const driver = driverOf(kind, async () => {
      throw answers.shift()
    })
    await openAsCaller(kind, subjectId)
    expect(await driver.drive(kind, subjectId)).toMatchObject({ state: 'open' })
    expect(await rows(subjectId)).toMatchObject([{ state: 'pending', tries: 1 }])
    expect(await driver.drive(kind, subjectId)).toEqual({ state: 'declined', outcome: { error: 'order_terminal' } })
  })

  test('hears the answer of another that has it under way', async () => {
    const [kind, subjectId] = [randomUUID(), randomUUID()]
    const answer = Promise.withResolvers<object>()
    let made = 0
    const driver = driverOf(kind, () => {
      made++
      return answer.promise
    })
    await openAsCaller(kind, subjectId)
    const first = driver.drive(kind, subjectId)
    await eventually(() => made === 1)
    const second = driver.drive(kind, subjectId)
    answer.resolve({ heard: true })
    const heard = { state: 'applied', outcome: { heard: true } }
    expect(await Promise.all([first, second])).toEqual([heard, heard])
    expect(made).toBe(1)
  })
})

test('a call that nothing may end but its success stays due whatever it is answered', async () => {
  const [kind, subjectId] = [randomUUID(), randomUUID()]
  await open(kind, subjectId, {})
  await started(kind, () => untilDone(Promise.reject(new ServiceError('outbound_sms_not_configured'))))
  await eventually(async () => expect(await rows(subjectId)).toMatchObject([{ state: 'pending', tries: 1 }]))
})

test('a kind shows the age of its oldest call that is due, and 0 where none is', async () => {
  const [kind, idle] = [randomUUID(), randomUUID()]
  await started(idle, async () => ({}))
  await started(kind, async () => {
    throw new ServiceError('service_unavailable')
  })
  await open(kind, randomUUID(), {})
  await later(90_000)
  const ageOf = async (one: string) =>
    Number(new RegExp(`^intent_oldest_seconds\\{kind="${one}"\\} ([\\d.]+)$`, 'm').exec(await renderMetrics())?.[1])
  await eventually(async () => expect(await ageOf(kind)).toBeGreaterThanOrEqual(90))
  expect(await ageOf(idle)).toBe(0)
})
