import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { type Intent, type IntentCall, type IntentWorker, intentWorker, openIntent } from '@svc/outbox'
import { eventually } from '@svc/testing'
import { merchantId, parcelService } from './parcel-service.ts'

let service: Awaited<ReturnType<typeof parcelService>>
const running: IntentWorker[] = []
let shiftMs = 0
beforeAll(async () => {
  service = await parcelService()
})
afterEach(() => Promise.all(running.splice(0).map((worker) => worker.stop())))
afterAll(() => service?.close())

/** Of a kind of its own per test, so that no other worker takes it. */
async function started(kind: string, call: IntentCall): Promise<IntentWorker> {
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
