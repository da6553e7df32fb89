import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Mesh, mesh } from '@svc/testing'
import { HOOKS_ENVIRONMENT, runHooksChaos } from './hooks-scenario.ts'
import { MONEY_ENVIRONMENT, runMoneyChaos } from './money-scenario.ts'
import { runChaos } from './scenario.ts'

/** One after the other in one mesh: each has merchants of its own, and waits until what it began has ended. */
let system: Mesh
beforeAll(async () => {
  const environment = { ...MONEY_ENVIRONMENT, ...HOOKS_ENVIRONMENT }
  system = await mesh({ ownServers: true, spans: false, environment })
}, 300_000)
afterAll(() => system?.stop())

test('killing order, wallet and Postgres while money moves loses and doubles nothing that was acknowledged', async () => {
  const figures = await runMoneyChaos(system, {
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

test('every hook that was answered is one order or one dead letter, though ingestion, Kafka and Postgres die meanwhile', async () => {
  const figures = await runHooksChaos(system, { loadMs: 20_000, clients: 4, kafkaAwayMs: 6_000 })
  console.log(figures)
  expect(figures).toMatchObject({ lost: [], doubled: [], unjudged: 0 })
  expect(figures.faults).toHaveLength(4)
  expect(figures.deadLetters).toBeGreaterThan(5)
  expect(figures.orders).toBeGreaterThan(10)
}, 900_000)

test('killing the order service, the webhook service and Kafka under load loses no accepted order and no event', async () => {
  const figures = await runChaos(system, {
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
