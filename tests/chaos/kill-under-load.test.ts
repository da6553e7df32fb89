import { expect, test } from '@jest/globals'
import { runChaos } from './scenario.ts'

test('killing the order service, the webhook service and Kafka under load loses no accepted order and no event', async () => {
  const figures = await runChaos({
    loadMs: 16_000,
    killEveryMs: 4_000,
    victims: ['order', 'webhook', 'kafka'],
    clients: 6,
  })
  console.log(figures)
  expect(figures).toMatchObject({ missing: [], outOfOrder: [], doubledEvents: [], changedBodies: [] })
  expect(figures.kills).toBeGreaterThanOrEqual(3)
  expect(figures.accepted).toBeGreaterThan(50)
}, 400_000)
