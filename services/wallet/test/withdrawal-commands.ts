import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Intent } from '@svc/intents'
import { parsePaymentEvent } from '@svc/payments'
import { adminCaller, merchantCaller, passedOn } from '@svc/testing'
import fc from 'fast-check'
import type { Context } from '../src/context.ts'
import { insertPayoutInstrument } from '../src/db/payout-instruments.ts'
import { postAdjustment } from '../src/db/post-adjustment.ts'
import type { Judgement } from '../src/domain/judgement.ts'
import { payoutReference } from '../src/domain/withdrawal.ts'
import { applyTransferEvent } from '../src/use-cases/hooks/take-hook.ts'
import { approveWithdrawal } from '../src/use-cases/withdrawals/approve-withdrawal.ts'
import { cancelWithdrawal } from '../src/use-cases/withdrawals/cancel-withdrawal.ts'
import { rejectWithdrawal } from '../src/use-cases/withdrawals/reject-withdrawal.ts'
import { requestWithdrawal } from '../src/use-cases/withdrawals/request-withdrawal.ts'
import { retryWithdrawal } from '../src/use-cases/withdrawals/retry-withdrawal.ts'
import { payOut } from '../src/use-cases/withdrawals/transfer.ts'
import { byOf } from './by-of.ts'
import type { ScriptedProvider } from './scripted-provider.ts'
import { type End, type Fault, type ModelWithdrawal, WithdrawalModel } from './withdrawal-model.ts'

/** One wallet and its withdrawals, in the order of the model's. */
export interface World {
  ctx: Context
  provider: ScriptedProvider
  merchantId: string
  ids: string[]
}

/** Two people, as far as admin is told of them. */
export const OPERATORS = [adminCaller(), adminCaller()]
const ownerOf = ({ merchantId }: World) => ({ kind: 'merchant', id: merchantId }) as const

/** A merchant without money that can be paid out. */
export async function newWorld(ctx: Context, provider: ScriptedProvider): Promise<World> {
  const world = { ctx, provider, merchantId: randomUUID() as string, ids: [] }
  await ctx.transact('every tenant', (tx) =>
    insertPayoutInstrument(tx, {
      owner: ownerOf(world),
      bankCode: '058',
      bankName: null,
      accountName: 'ADA OBI',
      accountLast4: '6789',
      recipientCode: `RCP_${world.merchantId}`,
      isDefault: true,
      frozenUntil: null,
    }),
  )
  return world
}

type Act = (world: World, model: WithdrawalModel) => Promise<void>

/** An act, judged against the model: the same answer, and afterwards the same wallet and statuses. */
class Deed implements fc.AsyncCommand<WithdrawalModel, World> {
  readonly #label: string
  readonly #act: Act

  constructor(label: string, act: Act) {
    this.#label = label
    this.#act = act
  }

  check(): boolean {
    return true
  }

  async run(model: WithdrawalModel, world: World): Promise<void> {
    await this.#act(world, model)
    expect(await seen(world)).toEqual({
      available: model.available,
      held: model.held,
      withdrawals: model.withdrawals.map(({ status, attempt }) => `${status} ${attempt}`),
    })
  }

  toString(): string {
    return this.#label
  }
}

async function seen({ ctx, merchantId, ids }: World) {
  const accounts = await ctx.database.worker.query<{ purpose: string; balance: number }>(
    'SELECT purpose::text, balance_minor AS balance FROM accounts WHERE owner_id = $1',
    [merchantId],
  )
  const { rows } = await ctx.database.worker.query<{ id: string; status: string; attempt: number }>(
    'SELECT id, status, attempt FROM withdrawals WHERE owner_id = $1',
    [merchantId],
  )
  const balanceOf = (purpose: string) => Number(accounts.rows.find((row) => row.purpose === purpose)?.balance ?? 0)
  const byId = new Map(rows.map(({ id, status, attempt }) => [id, `${status} ${attempt}`]))
  return {
    available: balanceOf('available'),
    held: balanceOf('held'),
    withdrawals: ids.map((id) => byId.get(id)),
  }
}

/** How often each answer was seen: an exploration that reaches too little proves nothing. */
export const reached = new Map<string, number>()

async function answerOf(work: Promise<unknown>): Promise<string> {
  try {
    const answer = (await work) as Judgement | { outcome?: undefined } | undefined
    return answer?.outcome === undefined ? 'ok' : judgement(answer)
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, error.details?.['reason']].filter(Boolean).join(' ')
    throw error
  }
}

const judgement = (one: Judgement) => ('reason' in one ? `${one.outcome} ${one.reason}` : one.outcome)

async function expectSame(work: Promise<unknown>, expected: string): Promise<void> {
  expect(await answerOf(work)).toBe(expected)
  reached.set(expected, (reached.get(expected) ?? 0) + 1)
}

const callerOf = ({ merchantId }: World) => merchantCaller({ merchantId, isTest: false })

async function request(world: World, amountMinor: number): Promise<void> {
  const caller = callerOf(world)
  const { withdrawal } = await requestWithdrawal(world.ctx, byOf(caller), { amountMinor })
  world.ids.push(withdrawal!.id)
}

interface Upon {
  /** The act upon the withdrawal of this number, or of those from which more than a refusal can come. */
  at(n: number, isPicky?: boolean): Deed
}

/** An act upon one of the withdrawals there are, mostly upon one of which more than a refusal can come. */
const upon = (
  label: string,
  promising: readonly string[],
  act: (world: World, model: WithdrawalModel, one: ModelWithdrawal, id: string) => Promise<void>,
): Upon => ({
  at: (n, isPicky = false) =>
    new Deed(`${label} #${n}${isPicky ? ' of those that promise' : ''}`, async (world, model) => {
      const likely = model.withdrawals.filter(({ status }) => promising.includes(status))
      const choice = isPicky && likely.length > 0 ? likely : model.withdrawals
      const one = choice[n % Math.max(choice.length, 1)]
      if (one) await act(world, model, one, world.ids[model.withdrawals.indexOf(one)]!)
    }),
})

const somewhere = (upon: Upon) =>
  fc.tuple(fc.nat(7), fc.constantFrom(true, true, true, false)).map(([n, isPicky]) => upon.at(n, isPicky))

const fund = (amountMinor: number) =>
  new Deed(`fund ${amountMinor}`, async (world, model) => {
    const opKey = `fund:${randomUUID()}`
    await postAdjustment(world.ctx, { opKey, owner: ownerOf(world), isTest: false, amountMinor, description: '' })
    model.available += amountMinor
  })

const ask = (amountMinor: number) =>
  new Deed(`request ${amountMinor}`, (world, model) =>
    expectSame(request(world, amountMinor), model.request(amountMinor)),
  )

const cancel = upon('cancel', ['pending_review'], (world, model, one, id) =>
  expectSame(cancelWithdrawal(world.ctx, byOf(callerOf(world)), { id }), model.cancel(one)),
)
const reject = upon('reject', ['pending_review'], (world, model, one, id) =>
  expectSame(rejectWithdrawal(world.ctx, byOf(OPERATORS[0]!), { id }), model.reject(one)),
)
/** Whose operators the wallet asks admin about, as the gateway has passed them on. */
const PAYOUTS = 'svc.wallet.v1.PayoutService'
const retry = (operator: Caller) =>
  upon(`retry as ${OPERATORS.indexOf(operator)}`, ['failed'], (world, model, one, id) =>
    expectSame(
      retryWithdrawal(world.ctx, byOf(passedOn(operator, `${PAYOUTS}/RetryWithdrawal`)), { id }),
      model.retry(one, operator.actor.id),
    ),
  )
const approve = (operator: Caller) =>
  upon(`approve as ${OPERATORS.indexOf(operator)}`, ['pending_review'], (world, model, one, id) =>
    expectSame(
      approveWithdrawal(world.ctx, byOf(passedOn(operator, `${PAYOUTS}/ApproveWithdrawal`)), { id }),
      model.approve(one, operator.actor.id),
    ),
  )
const work = (fault: Fault) =>
  upon(`work (${fault})`, ['approved', 'processing', 'paid'], async (world, model, one, id) => {
    world.provider.goWrong(fault)
    const intent = { subject_id: id, payload: { attempt: one.attempt } } as Intent
    await expectSame(payOut(world.ctx, intent), model.work(one, fault))
  })
const finish = (status: End) =>
  upon(`end as ${status}`, ['processing', 'paid', 'failed'], async (world, model, one, id) => {
    world.provider.end(payoutReference(id, one.reference), status)
    model.end(one, status)
  })

const HOOK = { hookId: randomUUID(), merchantId: null, signedByPlatform: true }

interface Hooks {
  status: End
  /** From the attempt that the withdrawal knows. */
  offset?: number
  isRight?: boolean
  count?: number
}

/** Some hooks about the same end, all at once. */
const hooks = ({ status, offset = 0, isRight = true, count = 1 }: Hooks) =>
  upon(
    `${count} hooks (${status}, attempt ${offset}, ${isRight ? 'right' : 'wrong'} amount)`,
    ['processing', 'paid', 'failed'],
    async (world, model, one, id) => {
      const attempt = Math.max(one.reference + offset, 1)
      const data = {
        reference: payoutReference(id, attempt),
        amount: one.amountMinor + (isRight ? 0 : 1),
        currency: 'NGN',
        status,
      }
      const event = parsePaymentEvent(Buffer.from(JSON.stringify({ event: `transfer.${status}`, data })))!
      const told = Array.from({ length: count }, () =>
        answerOf(world.ctx.transact('every tenant', (tx) => applyTransferEvent(world.ctx, tx, event, HOOK))),
      )
      const expected = Array.from({ length: count }, () => model.hook(one, attempt, status, isRight))
      for (const answer of expected) reached.set(answer, (reached.get(answer) ?? 0) + 1)
      expect((await Promise.all(told)).toSorted()).toEqual(expected.toSorted())
    },
  )

const [ONE, OTHER] = OPERATORS as [Caller, Caller]

/** Reaches every answer that there is, so that none of them waits for chance. */
export const EVERY_ANSWER = [
  ask(100),
  fund(1_000),
  fund(1_000),
  ask(400),
  approve(ONE).at(0),
  approve(ONE).at(0),
  approve(OTHER).at(0),
  cancel.at(0),
  work('answer_lost').at(0),
  hooks({ status: 'success', offset: 1 }).at(0),
  hooks({ status: 'success', isRight: false }).at(0),
  hooks({ status: 'failed' }).at(0),
  hooks({ status: 'failed' }).at(0),
  hooks({ status: 'success' }).at(0),
  retry(ONE).at(0),
  finish('success').at(0),
  retry(ONE).at(0),
  ask(100),
  approve(ONE).at(1),
  approve(OTHER).at(1),
  work('refused').at(1),
  retry(ONE).at(1),
  hooks({ status: 'success', offset: -1 }).at(1),
]

const amount = fc.constantFrom(100, 400)
const end = fc.constantFrom<End>('success', 'failed', 'reversed')
const operator = fc.constantFrom(ONE, OTHER)
const fault = fc.constantFrom<Fault>('none', 'none', 'lost', 'answer_lost', 'refused')
const someHooks = fc.record({
  status: end,
  offset: fc.constantFrom(0, 0, 0, 0, -1, 1),
  isRight: fc.constantFrom(true, true, true, false),
  count: fc.constantFrom(1, 3),
})

const times = (count: number, act: fc.Arbitrary<Deed>) => Array.from({ length: count }, () => act)

export const acts = [
  ...times(3, fc.constantFrom(400, 1_000).map(fund)),
  ...times(3, amount.map(ask)),
  somewhere(cancel),
  somewhere(reject),
  ...times(6, operator.map(approve).chain(somewhere)),
  ...times(5, fault.map(work).chain(somewhere)),
  ...times(2, end.map(finish).chain(somewhere)),
  ...times(6, someHooks.map(hooks).chain(somewhere)),
  ...times(4, operator.map(retry).chain(somewhere)),
]
