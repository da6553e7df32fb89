import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { TEST_SECRET, type TestDatabase, testDatabase, testServers } from '@svc/testing'
import fc from 'fast-check'
import { type Admin, startAdmin } from '../../admin/test/start-admin.ts'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { closeClients } from '../src/peers/clients.ts'
import { wallet as walletDefinition } from '../src/service.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { scriptedProvider } from './scripted-provider.ts'
import { acts, EVERY_ANSWER, newWorld, OPERATORS, reached } from './withdrawal-commands.ts'
import { FOUR_EYES_ABOVE, WithdrawalModel } from './withdrawal-model.ts'

/** Sequences: the first reaches every answer, chance makes the others. `npm run test:deep` runs more. */
const RUNS = Number(process.env.LEDGER_RUNS ?? 40)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const COMMANDS = 50

const ANSWERS = `ok|wallet_insufficient|invalid_state|invalid_state transfer_pending|invalid_state transfer_succeeded|
second_approver_required|service_unavailable|applied|
ignored known_already|ignored old_reference|refused unknown_reference|refused amount_differs|refused contradicts`.split(
  /\|\s*/,
)

let database: TestDatabase
let ctx: Context
let admin: Admin
const provider = scriptedProvider()
beforeAll(async () => {
  const [servers, own] = await Promise.all([testServers(), testDatabase('wallet', migrations)])
  admin = await startAdmin()
  for (const { actor } of OPERATORS)
    await admin.worker.query(
      `INSERT INTO operators (id, email, password_hash, created_at) VALUES ($1, $2, '', app_now())`,
      [actor.id, `${actor.id}@ops.example`],
    )
  database = own
  // Not started: whatever happens is a command.
  const service = await walletDefinition.create(
    readConfig({
      WALLET_DATABASE_URL: own.url,
      WALLET_WORKER_URL: own.workerUrl,
      ADMIN_GRPC_ADDRESS: admin.service.address(),
      CALLER_SECRET_WALLET_ADMIN: TEST_SECRET,
      DISPATCH_GRPC_ADDRESS: 'none',
      MAIL_API_URL: 'none',
      BILLING_ENFORCEMENT: 'false',
      KAFKA_BROKERS: servers.kafkaBrokers.join(','),
      WITHDRAWALS_ENABLED: 'true',
      WITHDRAWAL_MIN_MINOR: '1',
      FOUR_EYES_ABOVE_MINOR: String(FOUR_EYES_ABOVE),
      LOG_LEVEL: 'silent',
    }),
    { payments: provider.payments },
  )
  ctx = service.context
})
afterAll(async () => {
  closeClients(ctx)
  await ctx.database.close()
  await database.drop()
  await admin.stop()
})

test(
  'whatever owners, operators and the provider do in whatever order: each kobo is in the wallet or paid out, never both',
  async () => {
    if (process.env.LEDGER_RUNS) process.stderr.write(`SEED=${SEED}\n`)
    const found = await fc.check(
      fc.asyncProperty(fc.array(fc.oneof(...acts), { minLength: COMMANDS, maxLength: COMMANDS }), async (commands) => {
        const real = await newWorld(ctx, provider)
        await fc.asyncModelRun(() => ({ model: new WithdrawalModel(), real }), commands)
        await expectLedgerHolds(rows, [real.merchantId])
      }),
      { numRuns: RUNS, seed: SEED, examples: [[EVERY_ANSWER]], endOnFailure: true },
    )
    if (found.failed) throw new Error(fc.defaultReportMessage(found), { cause: found.errorInstance })
    await expectLedgerHolds(rows)
    for (const answer of ANSWERS) expect([answer, reached.get(answer) ?? 0]).not.toEqual([answer, 0])
  },
  60_000 + RUNS * 5_000,
)

const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await ctx.database.worker.query<Row>(text, values)).rows
