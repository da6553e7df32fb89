import { randomInt } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { runFreezes } from './frozen-scenario.ts'

/** FREEZES=5 freezes five times; SEED=… repeats a run. */
const freezes = Number(process.env['FREEZES'] ?? 1)
const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))

test(
  'of two replicas of every service and gateway, any may freeze for 40 s under load: no fact is parked or lost, every event arrives in its place, and each commission is paid once',
  async () => {
    const plan = { seed, freezes, freezeMs: 40_000, clients: 4, merchants: 2 }
    const figures = await runFreezes(plan, (line) => console.log(line))
    console.log(figures)
    expect(figures).toMatchObject({
      wrongStories: [],
      changedBodies: 0,
      parked: {},
      unpublished: {},
      lost: {},
      wrongCommissions: [],
      wrongBalances: [],
      violations: [],
    })
    expect(figures.accepted).toBeGreaterThan(10 * freezes)
  },
  300_000 + freezes * 120_000,
)
