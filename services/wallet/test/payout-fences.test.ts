import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import type { Intent } from '@svc/intents'
import type { Logger } from '@svc/logging'
import { PaymentRefusedError, type Payments, parsePaymentEvent } from '@svc/payments'
import type { Context } from '../src/context.ts'
import { applyTransferEvent } from '../src/use-cases/hooks/take-hook.ts'
import { retryWithdrawal } from '../src/use-cases/withdrawals/retry-withdrawal.ts'
import { payOut } from '../src/use-cases/withdrawals/transfer.ts'
import { byOf } from './by-of.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { AMOUNT, observePayouts, referenceOf, transferEvent } from './observe-payouts.ts'
import { liveMerchant, operator, payee, startPayouts, type TestPayouts } from './start-payouts.ts'

let payouts: TestPayouts
beforeAll(async () => {
  payouts = await startPayouts()
})
afterAll(async () => {
  await expectLedgerHolds(payouts.sql)
  await payouts.stop()
})

const { balances, pursued, rowOf, sent, underWay } = observePayouts(() => payouts)
const HOOK = { hookId: 'fences', merchantId: null, signedByPlatform: true }

/** Approved, and left to the workers of the test. */
async function leftToUs(): Promise<{ caller: Caller; id: string; intent: Intent }> {
  const caller = await payee(payouts, liveMerchant(), 500_000)
  const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: AMOUNT })
  const { id } = withdrawal!
  await payouts.sql(
    `UPDATE withdrawals SET status = 'approved', reviewed_by = 'somebody', reviewed_at = now() WHERE id = $1`,
    [id],
  )
  return { caller, id, intent: { subject_id: id, payload: { attempt: 1 } } as Intent }
}

const withPayments = (overrides: Partial<Payments>): Context => ({
  ...payouts.context,
  payments: { ...payouts.context.payments!, ...overrides },
})

/** A context whose alerts are kept. */
function watched(): { ctx: Context; alerts: string[] } {
  const alerts: string[] = []
  const error = ({ alert }: { alert: string }) => alerts.push(alert)
  return { ctx: { ...payouts.context, logger: { ...payouts.context.logger, error } as unknown as Logger }, alerts }
}

function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** A worker whose first sending is refused and that then sleeps until it is woken. */
function sleeper() {
  const [asleep, woken] = [gate(), gate()]
  const ctx = withPayments({
    initiateTransfer: async () => {
      throw new PaymentRefusedError('balance too low', 400, 'insufficient_balance')
    },
    verifyTransfer: async () => {
      asleep.open()
      await woken.opened
      return null
    },
  })
  return { ctx, asleep: asleep.opened, wake: woken.open }
}

/** A worker that freezes between the stamp of its sending and the sending, for as long as its clock then says. */
function frozen() {
  const [asleep, woken] = [gate(), gate()]
  let steps = 0
  const transact: Context['transact'] = async (scope, work) => {
    const done = await payouts.context.transact(scope, work)
    // The first is the beginning of the attempt, the second the stamp.
    if (++steps === 2) {
      asleep.open()
      await woken.opened
    }
    return done
  }
  const wakeAfter = async (ms: number, told: Promise<unknown>): Promise<unknown> => {
    const now = performance.now.bind(performance)
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + ms)
    woken.open()
    return told.finally(() => clock.mockRestore())
  }
  return { ctx: { ...payouts.context, transact }, asleep: asleep.opened, wakeAfter }
}

/** Workers none of whom sends before each of them has begun. */
function sideBySide(count: number): Context[] {
  const all = gate()
  let begun = 0
  return Array.from({ length: count }, () => {
    let hasBegun = false
    const transact: Context['transact'] = async (scope, work) => {
      const done = await payouts.context.transact(scope, work)
      if (!hasBegun) {
        hasBegun = true
        if (++begun === count) all.open()
        await all.opened
      }
      return done
    }
    return { ...payouts.context, transact }
  })
}

const refusing = () =>
  withPayments({
    initiateTransfer: async () => {
      throw new PaymentRefusedError('balance too low', 400, 'insufficient_balance')
    },
  })

describe('a worker that wakes late', () => {
  test('gives nothing back once another has sent the transfer', async () => {
    const { caller, id, intent } = await leftToUs()
    const late = sleeper()
    const told = payOut(late.ctx, intent).catch((error: unknown) => error)
    await late.asleep
    expect(await payOut(payouts.context, intent)).toEqual({ transfer: 'pending' })
    late.wake()
    expect(await told).toMatchObject({ code: 'service_unavailable' })
    expect(await rowOf(id)).toMatchObject({ status: 'processing' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    expect(await payouts.end(referenceOf(id), 'success')).toEqual([{ outcome: 'applied' }])
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('gives it back where all that was sent since was refused', async () => {
    const { caller, id, intent } = await leftToUs()
    const late = sleeper()
    const told = payOut(late.ctx, intent)
    await late.asleep
    await expect(payOut(refusing(), intent)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    late.wake()
    expect(await told).toEqual({ transfer: 'rejected' })
    expect(await rowOf(id)).toMatchObject({ status: 'failed', failure_reason: 'rejected' })
    expect(await balances(caller)).toEqual([500_000, 0])
  })

  test('sends nothing once another has', async () => {
    const { id, intent } = await leftToUs()
    payouts.dieAt('payout.stamped')
    await expect(payOut(payouts.context, intent)).rejects.toThrow('died')
    const [asleep, woken] = [gate(), gate()]
    const ctx = withPayments({
      verifyTransfer: async () => {
        asleep.open()
        await woken.opened
        return null
      },
    })
    const told = payOut(ctx, intent).catch((error: unknown) => error)
    await asleep.opened
    await payOut(payouts.context, intent)
    woken.open()
    expect(await told).toMatchObject({ code: 'service_unavailable' })
    expect(await sent(id)).toHaveLength(1)
  })
})

describe('a worker that was frozen before its sending', () => {
  test('sends nothing once nobody expects it any more: a payout that was refused and retried meanwhile is paid once', async () => {
    const { caller, id, intent } = await leftToUs()
    const late = frozen()
    const told = payOut(late.ctx, intent).catch((error: unknown) => error)
    await late.asleep
    try {
      await payouts.database.shiftClock(6 * 60_000)
      expect(await payOut(refusing(), intent)).toEqual({ transfer: 'rejected' })
      expect(await balances(caller)).toEqual([500_000, 0])
      await payouts.as(operator()).retryWithdrawal({ id })
      await pursued(id)
      expect(await late.wakeAfter(6 * 60_000, told)).toMatchObject({ code: 'service_unavailable' })
    } finally {
      await payouts.database.shiftClock(0)
    }
    const second = `${referenceOf(id)}_2`
    expect((await sent(id)).map(({ body }) => body.reference)).toEqual([second])
    expect(await payouts.end(second, 'success')).toEqual([{ outcome: 'applied' }])
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('leaves what it stamped to the next try, which asks about it and sends it', async () => {
    const { id, intent } = await leftToUs()
    const late = frozen()
    const told = payOut(late.ctx, intent).catch((error: unknown) => error)
    await late.asleep
    expect(await late.wakeAfter(60_000, told)).toMatchObject({ code: 'service_unavailable' })
    expect(await payOut(payouts.context, intent)).toEqual({ transfer: 'pending' })
    expect(await sent(id)).toHaveLength(1)
  })
})

describe('several workers of one payout', () => {
  test('send it once where all of them found it fresh', async () => {
    const { caller, id, intent } = await leftToUs()
    const settled = await Promise.allSettled(sideBySide(6).map((ctx) => payOut(ctx, intent)))
    const ends = settled.map((one) => (one.status === 'fulfilled' ? one.value.transfer : one.reason.code))
    expect(ends.filter((end) => end !== 'service_unavailable')).toEqual(['pending'])
    expect(await sent(id)).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ status: 'processing' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('send it again while the provider has not heard of it, under the one reference: it is paid once', async () => {
    const { caller, id, intent } = await leftToUs()
    const [onItsWay, goesOn] = [gate(), gate()]
    const slow = withPayments({
      initiateTransfer: async (transfer) => {
        onItsWay.open()
        await goesOn.opened
        return payouts.context.payments!.initiateTransfer(transfer)
      },
    })
    const told = payOut(slow, intent)
    await onItsWay.opened
    expect(await payOut(payouts.context, intent)).toEqual({ transfer: 'pending' })
    goesOn.open()
    expect(await told).toEqual({ transfer: 'pending' })
    expect((await sent(id)).map(({ body }) => body.reference)).toEqual([referenceOf(id), referenceOf(id)])
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    expect(await payouts.end(referenceOf(id), 'success')).toEqual([{ outcome: 'applied' }])
    expect(await balances(caller)).toEqual([300_000, 0])
  })
})

describe('a refusal', () => {
  test('settles nothing while what was sent before may arrive, and does later, however often it was refused', async () => {
    const { caller, id, intent } = await leftToUs()
    await payouts.fault({ mode: 'reset_before', match: { method: 'POST', path: '/transfer' } })
    await expect(payOut(payouts.context, intent)).rejects.toMatchObject({ code: 'service_unavailable' })
    try {
      for (const minutes of [0, 1, 2, 3, 4]) {
        await payouts.database.shiftClock(minutes * 60_000)
        await expect(payOut(refusing(), intent)).rejects.toMatchObject({ code: 'service_unavailable' })
        expect(await rowOf(id)).toMatchObject({ status: 'processing' })
      }
      await payouts.database.shiftClock(6 * 60_000)
      expect(await payOut(refusing(), intent)).toEqual({ transfer: 'rejected' })
    } finally {
      await payouts.database.shiftClock(0)
    }
    expect(await balances(caller)).toEqual([500_000, 0])
  })
})

test('a transfer that the provider abandoned is over: the money is back', async () => {
  const { caller, id, intent } = await leftToUs()
  const answer = { reference: referenceOf(id), amountMinor: AMOUNT, currency: 'NGN' }
  await payOut(withPayments({ initiateTransfer: async () => ({ ...answer, status: 'otp' }) }), intent)
  expect(await balances(caller)).toEqual([300_000, AMOUNT])
  await payOut(withPayments({ verifyTransfer: async () => ({ ...answer, status: 'abandoned' }) }), intent)
  expect(await rowOf(id)).toMatchObject({ status: 'failed', failure_reason: 'abandoned' })
  expect(await balances(caller)).toEqual([500_000, 0])
})

describe('a second attempt', () => {
  /** Failed by a hook, whatever the provider itself makes of the transfer. */
  async function failed() {
    const one = await underWay()
    const body = transferEvent('transfer.failed', { reference: one.reference, status: 'failed' })
    expect(await payouts.hook(body)).toEqual({ outcome: 'applied' })
    return one
  }

  const refusal = (status: string, reason: string) => ({ code: 'invalid_state', details: { status, reason } })

  test('is refused while the first transfer may arrive', async () => {
    const { caller, id, reference } = await failed()
    const retry = () => payouts.as(operator()).retryWithdrawal({ id })
    await expect(retry()).rejects.toMatchObject(refusal('failed', 'transfer_pending'))
    expect(await balances(caller)).toEqual([500_000, 0])
    await payouts.end(reference, 'failed', { hook: false })
    expect(await retry()).toMatchObject({ withdrawal: { status: 'processing' } })
  })

  test('is refused where the first transfer has arrived after all: its amount is taken again, once, and it is paid', async () => {
    const { caller, id, reference } = await failed()
    await payouts.end(reference, 'success', { hook: false })
    const settled = await Promise.allSettled([1, 2, 3].map(() => payouts.as(operator()).retryWithdrawal({ id })))
    expect(settled.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(await rowOf(id)).toMatchObject({ status: 'paid', provider_reference: reference, failure_reason: null })
    expect(await balances(caller)).toEqual([300_000, 0])
    await pursued(id)
    expect(await sent(id)).toHaveLength(1)
    expect(await payouts.end(reference, 'success')).toEqual([{ outcome: 'ignored', reason: 'known_already' }])
    expect(await payouts.end(reference, 'reversed')).toEqual([{ outcome: 'applied' }])
    expect(await balances(caller)).toEqual([500_000, 0])
    const { withdrawal } = await payouts.as(operator()).retryWithdrawal({ id })
    expect(withdrawal).toMatchObject({ status: 'processing', provider_reference: `${reference}_3` })
  })

  test('is refused where it has arrived and its owner has spent the money: an alert, and no second transfer', async () => {
    const { caller, id, reference } = await failed()
    await payouts.as(caller).requestWithdrawal({ amount_minor: 400_000 })
    await payouts.end(reference, 'success', { hook: false })
    const { ctx, alerts } = watched()
    await expect(retryWithdrawal(ctx, byOf(operator()), { id })).rejects.toMatchObject(
      refusal('failed', 'transfer_succeeded'),
    )
    expect(alerts).toEqual(['payout_contradicted'])
    expect(await balances(caller)).toEqual([100_000, 400_000])
    expect(await sent(id)).toHaveLength(1)
  })

  test('is refused while the provider cannot be asked', async () => {
    const { caller, id } = await failed()
    await payouts.fault({ mode: 'reset_before', match: { path: '/transfer/verify/*' }, count: 2 })
    await expect(payouts.as(operator()).retryWithdrawal({ id })).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await balances(caller)).toEqual([500_000, 0])
  })

  test('of which the first succeeds in spite of all raises an alert', async () => {
    const { id, reference } = await underWay()
    await payouts.end(reference, 'failed')
    await payouts.as(operator()).retryWithdrawal({ id })
    const { ctx, alerts } = watched()
    const event = parsePaymentEvent(transferEvent('transfer.success', { reference, status: 'success' }))!
    const told = await ctx.transact('every tenant', (tx) => applyTransferEvent(ctx, tx, event, HOOK))
    expect(told).toEqual({ outcome: 'ignored', reason: 'old_reference' })
    expect(alerts).toEqual(['payout_contradicted'])
  })

  test.each(['success', 'pending'])(
    'raises an alert where the first turns out as %s to a worker that slept since it sent it',
    async (status) => {
      const { id, intent } = await leftToUs()
      const [asleep, woken] = [gate(), gate()]
      const { alerts, ctx } = watched()
      const payments: Payments = {
        ...payouts.context.payments!,
        initiateTransfer: async (wanted) => {
          const transfer = await payouts.context.payments!.initiateTransfer(wanted)
          asleep.open()
          await woken.opened
          return { ...transfer, status }
        },
      }
      const told = payOut({ ...ctx, payments }, intent)
      await asleep.opened
      await payouts.end(referenceOf(id), 'failed')
      await payouts.as(operator()).retryWithdrawal({ id })
      woken.open()
      expect(await told).toEqual({ transfer: status })
      expect(alerts).toEqual(['payout_contradicted'])
      expect(await rowOf(id)).toMatchObject({ status: 'processing', provider_reference: `${referenceOf(id)}_2` })
    },
  )

  test('of a large amount takes another operator than the one who let it go out last', async () => {
    const caller = await payee(payouts, liveMerchant(), 9_000_000)
    const [one, other] = [await payouts.identity(), await payouts.identity()]
    const made = payouts.as(await payouts.identity(other))
    const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: 5_000_001 })
    const { id } = withdrawal!
    const [first, second] = [payouts.as(one), payouts.as(other)]
    await first.approveWithdrawal({ id })
    await second.approveWithdrawal({ id })
    await pursued(id)
    await payouts.end(referenceOf(id), 'failed')
    for (const same of [second, made])
      await expect(same.retryWithdrawal({ id })).rejects.toMatchObject({ code: 'second_approver_required' })
    expect(await balances(caller)).toEqual([9_000_000, 0])
    expect(await first.retryWithdrawal({ id })).toMatchObject({ withdrawal: { status: 'processing' } })
    await pursued(id)
    await payouts.end(`${referenceOf(id)}_2`, 'failed')
    await expect(first.retryWithdrawal({ id })).rejects.toMatchObject({ code: 'second_approver_required' })
    expect(await second.retryWithdrawal({ id })).toMatchObject({ withdrawal: { status: 'processing' } })
  })
})
