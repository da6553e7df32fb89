import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { explore, reached } from './ledger-commands.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { type OpenLedger, openLedger } from './open-ledger.ts'

/**
 * Sequences, so many of them at a time: each has its own merchants, so that none sees the others. The first reaches every
 * answer, chance makes the others; `npm run test:deep` runs a thousand.
 */
const RUNS = Number(process.env.LEDGER_RUNS ?? 100)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const EXPLORERS = 4
const COMMANDS = 50

const ANSWERS = `applied|applied held|applied paid|applied returned|already_applied|already_applied held|
already_applied paid|declined insufficient|declined nothing_held|declined exceeds_hold|aborted|conflict`.split(/\|\s*/)

let ledger: OpenLedger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

test(
  'whatever is asked, repeated, given up and asked at once: the ledger answers as its model and keeps every kobo',
  async () => {
    if (process.env.LEDGER_RUNS) process.stderr.write(`SEED=${SEED}\n`)
    const explorers = Array.from({ length: EXPLORERS }, (_, index) =>
      explore(ledger, { runs: Math.ceil(RUNS / EXPLORERS), commands: COMMANDS, seed: SEED + index }),
    )
    for (const found of await Promise.all(explorers))
      if (found.failed) throw new Error(fc.defaultReportMessage(found), { cause: found.errorInstance })
    await expectLedgerHolds(ledger.sql)
    for (const answer of ANSWERS) expect([answer, reached.get(answer) ?? 0]).not.toEqual([answer, 0])
  },
  60_000 + RUNS * 5_000,
)
