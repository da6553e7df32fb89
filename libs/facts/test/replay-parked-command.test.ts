import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import { consumer, replayParkedCommand } from '@svc/facts'
import { parcelService, samplePayload } from '../../transact/test/parcel-service.ts'
import { park } from '../src/park.ts'

let service: Awaited<ReturnType<typeof parcelService>>
const poisonous = new Set<string>()

const singly = consumer({
  name: 'singly',
  of: ['ingestion.hook_received'],
  async handle(fact, tx) {
    if (poisonous.has(fact.aggregateId)) throw new Error('cannot handle it')
    await tx.sql('INSERT INTO effect (event_id, aggregate_id, version) VALUES ($1, $2, $3)', [
      fact.id,
      fact.aggregateId,
      fact.aggregateVersion,
    ])
  },
})

beforeAll(async () => {
  service = await parcelService()
})
afterAll(() => service?.close())
beforeEach(async () => {
  poisonous.clear()
  await service.database.worker.query('DELETE FROM parked')
})

async function parkFact(aggregateId: string, version: number, name = 'singly'): Promise<string> {
  const eventId = randomUUID()
  const headers = {
    ce_id: eventId,
    ce_type: 'ingestion.hook_received',
    ce_time: new Date(0).toISOString(),
    ce_aggregateversion: String(version),
    ce_istest: 'false',
  }
  const payload = encodeFact('ingestion.hook_received', samplePayload())
  const fact = { topic: 'svc.ingestion.v1', key: aggregateId, payload, headers }
  await park(service.transact, name, fact, new Error('was poisonous'), 5)
  return eventId
}

async function run(...args: string[]): Promise<{ code: number; lines: Array<Record<string, unknown>> }> {
  const lines: Array<Record<string, unknown>> = []
  const { database, transact } = service
  const options = { database, transact, consumers: [singly], context: {} }
  const code = await replayParkedCommand(options, args, (line) => lines.push(line as Record<string, unknown>))
  return { code, lines }
}

async function effects(): Promise<unknown[]> {
  const { rows } = await service.database.worker.query('SELECT event_id FROM effect ORDER BY seq')
  return rows.map((row) => row.event_id)
}

test('without arguments it tells what is parked, why and since when, and changes nothing', async () => {
  const aggregateId = randomUUID()
  const eventId = await parkFact(aggregateId, 1)
  const before = await effects()
  for (let i = 0; i < 2; i++) {
    expect(await run()).toEqual({
      code: 0,
      lines: [
        {
          parked_by: 'singly',
          event_id: eventId,
          type: 'ingestion.hook_received',
          aggregate_id: aggregateId,
          error: 'Error: was poisonous',
          since: expect.any(Date),
        },
      ],
    })
  }
  expect(await effects()).toEqual(before)
})

test('one fact takes the others of its aggregate along, in order, and no other aggregate', async () => {
  const [chosen, other] = [randomUUID(), randomUUID()]
  const first = await parkFact(chosen, 1)
  await parkFact(other, 1)
  const second = await parkFact(chosen, 2)
  const before = await effects()
  expect(await run(second)).toEqual({
    code: 0,
    lines: [{ parked_by: 'singly', aggregate_id: chosen, replayed: 2 }],
  })
  expect(await effects()).toEqual([...before, first, second])
  expect((await run()).lines.map((line) => line['aggregate_id'])).toEqual([other])
})

test('--all replays every aggregate; one that still fails stays parked, is told, and makes the exit code 1', async () => {
  const [sick, healthy, orphan] = [randomUUID(), randomUUID(), randomUUID()]
  await parkFact(sick, 1)
  await parkFact(healthy, 1)
  await parkFact(orphan, 1, 'a consumer of an older release')
  poisonous.add(sick)
  const { code, lines } = await run('--all')
  expect(code).toBe(1)
  expect(lines.toSorted((a, b) => Number('error' in a) - Number('error' in b))).toEqual([
    { parked_by: 'singly', aggregate_id: healthy, replayed: 1 },
    expect.objectContaining({ aggregate_id: orphan, error: expect.stringContaining('no such consumer') }),
    expect.objectContaining({ aggregate_id: sick, error: expect.stringContaining('cannot handle it') }),
  ])
  expect(new Set((await run()).lines.map((line) => line['aggregate_id']))).toEqual(new Set([sick, orphan]))
})

test('an id under which nothing is parked exits 1 and replays nothing', async () => {
  await parkFact(randomUUID(), 1)
  expect(await run(randomUUID())).toEqual({ code: 1, lines: [] })
})
