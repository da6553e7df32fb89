import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { forgetHooks } from '../src/use-cases/forget-hooks.ts'
import { chargeBody, idOf, startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
beforeAll(async () => {
  ingestion = await startIngestion({ HOOK_RETENTION_DAYS: '30' })
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

describe('the past', () => {
  test('goes where it is done with: dead letters and what nobody judged stay, however old', async () => {
    const gone = [await hookIn('applied', 31), await hookIn('ignored', 31)]
    const kept = [
      await hookIn('applied', 29),
      await hookIn('ignored', 29),
      await hookIn('dead', 400),
      await hookIn('received', 400),
    ]
    expect(await forgetHooks(ingestion.service.context)).toBe(2)
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
})
