import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import fc from 'fast-check'
import { abortOperation, captureHold, placeHold, releaseHold } from '../src/db/holds.ts'
import { postOperation } from '../src/db/post-operation.ts'
import { type Decision, type Operation, type Owner, PROVIDER } from '../src/domain/operation.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { type Expected, LedgerModel } from './ledger-model.ts'
import type { OpenLedger } from './open-ledger.ts'

/** The names of one sequence and what they stand for in the database. */
export interface World {
  ledger: OpenLedger
  /** In keys, so that no sequence meets another's. */
  run: string
  merchants: Owner[]
  riders: Owner[]
  orders: string[]
  shipments: string[]
}

const COUNTS = { merchants: 2, riders: 2, orders: 5, shipments: 2 }
const ids = (count: number) => Array.from({ length: count }, () => randomUUID() as string)

export const newWorld = (ledger: OpenLedger): World => ({
  ledger,
  run: randomUUID(),
  merchants: ids(COUNTS.merchants).map((id) => ({ kind: 'merchant', id })),
  riders: ids(COUNTS.riders).map((id) => ({ kind: 'rider', id })),
  orders: ids(COUNTS.orders),
  shipments: ids(COUNTS.shipments),
})

type Act = (world: World, model: LedgerModel) => Promise<void>

/** An act, judged against the model: the same answer, and afterwards the same balances. */
class Deed implements fc.AsyncCommand<LedgerModel, World> {
  readonly #label: string
  readonly #act: Act

  constructor(label: string, act: Act) {
    this.#label = label
    this.#act = act
  }

  check(): boolean {
    return true
  }

  async run(model: LedgerModel, world: World): Promise<void> {
    await this.#act(world, model)
    expect(await balancesIn(world)).toEqual(balancesOf(model))
  }

  toString(): string {
    return this.#label
  }
}

async function answered(work: Promise<Decision>): Promise<Expected> {
  try {
    const { outcome, result } = await work
    return { outcome, state: result?.state, reason: result?.reason }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'idempotency_conflict') return { outcome: 'conflict' }
    throw error
  }
}

/** How often each answer was seen: an exploration that reaches too little proves nothing. */
export const reached = new Map<string, number>()

async function expectSame(work: Promise<Decision>, expected: Expected): Promise<void> {
  const { outcome, state, reason } = await answered(work)
  expect({ outcome, state, reason }).toEqual({
    outcome: expected.outcome,
    state: expected.state,
    reason: expected.reason,
  })
  const answer = [outcome, reason ?? state].filter(Boolean).join(' ')
  reached.set(answer, (reached.get(answer) ?? 0) + 1)
}

/** Accounts that have anything, by their names in the model. */
async function balancesIn({ ledger, merchants, riders }: World): Promise<Record<string, number>> {
  const names = new Map([
    ...merchants.map(({ id }, index) => [id, `m${index}`] as const),
    ...riders.map(({ id }, index) => [id, `r${index}`] as const),
  ])
  const rows = await ledger.sql<{ owner_id: string; purpose: string; balance_minor: number }>(
    `SELECT owner_id, purpose, balance_minor FROM accounts WHERE owner_kind IN ('merchant', 'rider') AND owner_id = ANY ($1)`,
    [[...names.keys()]],
  )
  const named = rows.map(
    ({ owner_id, purpose, balance_minor }) =>
      [`${names.get(owner_id)}${purpose === 'held' ? ' held' : ''}`, balance_minor] as const,
  )
  return Object.fromEntries(named.filter(([, balance]) => balance !== 0))
}

const balancesOf = ({ balances }: LedgerModel) =>
  Object.fromEntries([...balances].filter(([, balance]) => balance !== 0))

const NGN = { isTest: false, currency: 'NGN' } as const

/** Money from the provider to a merchant, or back to it where the amount is negative. */
function externalOperation(opKey: string, owner: Owner, reference: string, amountMinor: number): Operation {
  return {
    ...NGN,
    opKey,
    kind: 'topup',
    subjectId: reference,
    merchantId: owner.id,
    postings: [
      { owner: PROVIDER, purpose: 'available', entryType: 'topup', amountMinor: -amountMinor },
      { owner, purpose: 'available', entryType: 'topup', amountMinor },
    ],
  }
}

const indexBelow = (count: number) => fc.nat(count - 1)
const merchant = indexBelow(COUNTS.merchants)
const order = indexBelow(COUNTS.orders)
const shipment = indexBelow(COUNTS.shipments)
const attempt = fc.integer({ min: 1, max: 3 })
const amount = fc.constantFrom(100, 400)

const topUp = (m: number, n: number, r: number, minor: number) =>
  new Deed(`topUp(m${m}, key ${n}, reference ${r}, ${minor})`, async ({ ledger, run, merchants }, model) => {
    const [key, reference] = [`topup:${run}:${m}:${n}`, `${run}:${m}:${r}`]
    const expected = model.topUp(key, reference, `m${m}`, minor)
    const operation = externalOperation(key, merchants[m]!, reference, minor)
    await expectSame(
      ledger.post((tx) => postOperation(tx, operation)),
      expected,
    )
  })

const settle = (o: number, n: number, mode: 'pay' | 'hold_in_escrow', minor: number) =>
  new Deed(`settle(o${o}, attempt ${n}, ${mode}, ${minor})`, async (world, model) => {
    // An order may have another rider at the next attempt.
    const [m, r] = [o % COUNTS.merchants, (o + n) % COUNTS.riders]
    const opKey = `commission:${world.run}:${o}:${n}`
    const expected = model.settle(opKey, `o${o}`, mode, `m${m}`, `r${r}`, minor)
    const work = world.ledger.settle({
      opKey,
      orderId: world.orders[o]!,
      merchantId: world.merchants[m]!.id,
      riderId: world.riders[r]!.id,
      amountMinor: minor,
      currency: 'NGN',
      mode,
      payer: world.merchants[m]!,
    })
    await expectSame(work, expected)
  })

const payOut = (o: number, n: number) =>
  new Deed(`release(o${o}, attempt ${n})`, async ({ ledger, run, orders }, model) => {
    const opKey = `release:${run}:${o}:${n}`
    const capture = {
      opKey,
      subject: { kind: 'commission', id: orders[o]! },
      kind: 'commission',
      partId: orders[o]!,
      amountMinor: null,
      riderId: null,
      debitType: 'commission_released',
      creditType: 'commission_credit',
    } as const
    const expected = model.capture(opKey, `commission o${o}`, `o${o}`, null)
    await expectSame(
      ledger.post((tx) => captureHold(tx, capture)),
      expected,
    )
  })

const giveBack = (o: number, n: number, alsoAborts: boolean) =>
  new Deed(`void(o${o}, attempt ${n}${alsoAborts ? ', which is given up' : ''})`, async (world, model) => {
    const opKey = `void:${world.run}:${o}:${n}`
    const attemptOpKey = alsoAborts ? `commission:${world.run}:${o}:${n}` : undefined
    const subject = { kind: 'commission', id: world.orders[o]! }
    const expected = model.release(opKey, `commission o${o}`, attemptOpKey)
    const release = { opKey, subject, attemptOpKey, entryType: 'commission_released' } as const
    await expectSame(
      world.ledger.post((tx) => releaseHold(tx, release)),
      expected,
    )
  })

const abort = (o: number, n: number) =>
  new Deed(`abort(o${o}, attempt ${n})`, async ({ ledger, run }, model) => {
    const opKey = `commission:${run}:${o}:${n}`
    const { outcome } = model.abort(opKey)
    expect(await ledger.post((tx) => abortOperation(tx, opKey))).toBe(outcome)
  })

const place = (s: number, n: number, minor: number) =>
  new Deed(`place(s${s}, attempt ${n}, ${minor})`, async ({ ledger, run, shipments, merchants }, model) => {
    const m = s % COUNTS.merchants
    const hold = {
      ...NGN,
      opKey: `hold:${run}:${s}:${n}`,
      subject: { kind: 'shipment', id: shipments[s]! },
      merchantId: merchants[m]!.id,
      payer: merchants[m]!,
      entryType: 'shipment_hold',
      amountMinor: minor,
    } as const
    const expected = model.place(hold.opKey, `shipment ${s}`, `m${m}`, minor)
    await expectSame(
      ledger.post((tx) => placeHold(tx, hold)),
      expected,
    )
  })

const capture = (s: number, o: number, n: number, minor: number) =>
  new Deed(`capture(s${s}, o${o}, attempt ${n}, ${minor})`, async (world, model) => {
    const r = o % COUNTS.riders
    const part = {
      opKey: `capture:${world.run}:${s}:${o}:${n}`,
      subject: { kind: 'shipment', id: world.shipments[s]! },
      kind: 'commission',
      partId: world.orders[o]!,
      amountMinor: minor,
      riderId: world.riders[r]!.id,
      debitType: 'shipment_release',
      creditType: 'commission_credit',
    } as const
    const expected = model.capture(part.opKey, `shipment ${s}`, `o${o}`, minor, `r${r}`)
    await expectSame(
      world.ledger.post((tx) => captureHold(tx, part)),
      expected,
    )
  })

const releaseRest = (s: number, n: number, alsoAborts: boolean) =>
  new Deed(`releaseRest(s${s}, attempt ${n}${alsoAborts ? ', which is given up' : ''})`, async (world, model) => {
    const opKey = `unhold:${world.run}:${s}:${n}`
    const attemptOpKey = alsoAborts ? `hold:${world.run}:${s}:${n}` : undefined
    const subject = { kind: 'shipment', id: world.shipments[s]! }
    const expected = model.release(opKey, `shipment ${s}`, attemptOpKey)
    const release = { opKey, subject, attemptOpKey, entryType: 'shipment_release' } as const
    await expectSame(
      world.ledger.post((tx) => releaseHold(tx, release)),
      expected,
    )
  })

let bursts = 0

/** Debits that arrive together over connections of their own: as many are applied as the balance bears. */
const burst = (m: number, count: number, minor: number) =>
  new Deed(`burst(m${m}, ${count} debits of ${minor})`, async ({ ledger, run, merchants }, model) => {
    const debits = Array.from({ length: count }, (_, n) => `burst:${run}:${bursts++}:${n}`)
    const outcomes = await Promise.all(
      debits.map((key) =>
        answered(ledger.post((tx) => postOperation(tx, externalOperation(key, merchants[m]!, key, -minor)))),
      ),
    )
    const expected = debits.map((key) => model.topUp(key, key, `m${m}`, -minor))
    const applied = (all: Expected[]) => all.filter(({ outcome }) => outcome === 'applied').length
    expect(applied(outcomes)).toBe(applied(expected))
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(expected.map(({ outcome }) => outcome)))
  })

/** Reaches every answer of the ledger, so that none of them waits for chance. */
const EVERY_ANSWER = [
  topUp(0, 1, 1, 1_000),
  topUp(0, 2, 1, 1_000),
  topUp(0, 1, 2, 100),
  place(1, 1, 400),
  place(0, 1, 400),
  place(0, 2, 400),
  releaseRest(0, 1, false),
  releaseRest(0, 2, false),
  place(0, 3, 100),
  capture(0, 2, 1, 400),
  settle(0, 1, 'pay', 100),
  settle(0, 2, 'pay', 100),
  abort(4, 1),
  settle(4, 1, 'pay', 100),
]

const times = (count: number, act: fc.Arbitrary<Deed>) => Array.from({ length: count }, () => act)

const any = {
  topUp: fc.tuple(merchant, attempt, attempt, fc.constantFrom(100, 1_000)).map((of) => topUp(...of)),
  settle: fc
    .tuple(order, attempt, fc.constantFrom('pay' as const, 'hold_in_escrow' as const), amount)
    .map((of) => settle(...of)),
  payOut: fc.tuple(order, attempt).map((of) => payOut(...of)),
  giveBack: fc.tuple(order, attempt, fc.boolean()).map((of) => giveBack(...of)),
  abort: fc.tuple(order, attempt).map((of) => abort(...of)),
  place: fc.tuple(shipment, attempt, amount).map((of) => place(...of)),
  capture: fc.tuple(shipment, order, attempt, amount).map((of) => capture(...of)),
  releaseRest: fc.tuple(shipment, attempt, fc.boolean()).map((of) => releaseRest(...of)),
  burst: fc.tuple(merchant, fc.constantFrom(8, 24), fc.constantFrom(100, 300)).map((of) => burst(...of)),
}

const acts = [
  ...times(2, any.topUp),
  ...times(3, any.settle),
  any.payOut,
  ...times(2, any.giveBack),
  any.abort,
  ...times(2, any.place),
  ...times(3, any.capture),
  any.releaseRest,
  any.burst,
]

const ofLength = (length: number) => ({ minLength: length, maxLength: length, size: 'max' }) as const

/** Runs sequences of so many commands against the ledger and the model; the result tells of the first that differed. */
export async function explore(ledger: OpenLedger, options: { runs: number; commands: number; seed?: number }) {
  return fc.check(
    fc.asyncProperty(fc.array(fc.oneof(...acts), ofLength(options.commands)), async (commands) => {
      const real = newWorld(ledger)
      await fc.asyncModelRun(() => ({ model: new LedgerModel(), real }), commands)
      await expectLedgerHolds(
        ledger.sql,
        real.merchants.map(({ id }) => id),
      )
    }),
    { numRuns: options.runs, seed: options.seed, examples: [[EVERY_ANSWER]], endOnFailure: true },
  )
}
