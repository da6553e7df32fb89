import { expect, test } from '@jest/globals'
import { runMoneyChaos } from './money-scenario.ts'

test('killing order, wallet and Postgres while money moves loses and doubles nothing that was acknowledged', async () => {
  const figures = await runMoneyChaos({
    loadMs: 30_000,
    killEveryMs: 8_000,
    victims: ['order', 'wallet', 'postgres'],
    clients: 4,
    merchants: 2,
  })
  console.log(figures)
  const { lost, doubled, wrongBalances, negative, violations, openIntents } = figures
  expect({ lost, doubled, wrongBalances, negative, violations, openIntents }).toEqual({
    lost: [],
    doubled: [],
    wrongBalances: [],
    negative: 0,
    violations: [],
    openIntents: 0,
  })
  expect(figures.kills).toBeGreaterThanOrEqual(3)
  expect(figures.settled).toBeGreaterThan(10)
}, 400_000)
