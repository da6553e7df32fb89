import { expect, test } from '@jest/globals'
import { runHooksChaos } from './hooks-scenario.ts'

test('every hook that was answered is one order or one dead letter, though ingestion, Kafka and Postgres die meanwhile', async () => {
  const figures = await runHooksChaos({ loadMs: 20_000, clients: 4, kafkaAwayMs: 6_000 })
  console.log(figures)
  expect(figures).toMatchObject({ lost: [], doubled: [], unjudged: 0 })
  expect(figures.faults).toHaveLength(4)
  expect(figures.deadLetters).toBeGreaterThan(5)
  expect(figures.orders).toBeGreaterThan(10)
}, 900_000)
