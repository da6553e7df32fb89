import { expect, test } from '@jest/globals'
import type { Transact, Tx } from '@svc/outbox'
import { announceAfterCommit } from './announce-after-commit.ts'

const event = { $case: 'tracking_changed' as const, value: { order_id: 'o', status: 'accepted', updated_at: '' } }

test('sockets hear of what is committed, after the commit, and of nothing else', async () => {
  const heard: string[] = []
  const commits: Transact = async (_scope, work) => {
    const result = await work({} as Tx)
    heard.push('commit')
    return result
  }
  const rollsBack: Transact = async (_scope, work) => {
    await work({} as Tx)
    throw new Error('rolled back')
  }
  const realtime = { publish: () => void heard.push('told') }
  for (const transact of [commits, rollsBack]) {
    const announcing = announceAfterCommit(transact, realtime)
    await announcing.transact('every tenant', async (tx) => announcing.announce(tx, event)).catch(() => undefined)
  }
  expect(heard).toEqual(['commit', 'told'])
})
