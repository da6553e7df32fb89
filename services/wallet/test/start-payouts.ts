import { randomUUID } from 'node:crypto'
import { PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import type { Caller } from '@svc/grpc'
import { adminCaller, merchantCaller, receiver, riderCaller, TEST_SECRET, testClient } from '@svc/testing'
import { createProviders } from '../../../deploy/local/src/providers/server.ts'
import { PASSWORD, signUp, startAdmin } from '../../admin/test/start-admin.ts'
import type { Judgement } from '../src/domain/judgement.ts'
import type { Owner } from '../src/domain/operation.ts'
import { applyPaymentEvent } from '../src/use-cases/hooks/take-hook.ts'
import { startWallet } from './start-wallet.ts'

export type TestPayouts = Awaited<ReturnType<typeof startPayouts>>

const KEY = 'sk_test_payouts_of_a_test'

/** The wallet service with the real admin, beside the payment provider's double, whose hooks it judges at once. */
export async function startPayouts(settings: Record<string, string> = {}) {
  const door = await receiver()
  const providers = createProviders({ platformUrl: door.url, paymentsSecretKey: KEY })
  await providers.start()
  const admin = await startAdmin()
  let failpoint = (_name: string): void => {}
  const wallet = await startWallet(
    {
      ADMIN_GRPC_ADDRESS: admin.service.address(),
      CALLER_SECRET_WALLET_ADMIN: TEST_SECRET,
      PAYMENTS_API_URL: `${providers.url()}/payments-a`,
      PAYMENTS_SECRET_KEY: KEY,
      MAIL_API_URL: `${providers.url()}/email-a`,
      MAIL_API_KEY: 'the-mail-key-of-a-test',
      WITHDRAWALS_ENABLED: 'true',
      RIDER_WITHDRAWALS_REQUIRE_KYC: 'false',
      PAYMENT_SWEEP_INTERVAL_MS: '1h',
      ...settings,
    },
    { failpoint: (name) => failpoint(name) },
  )
  const payouts = testClient(PayoutServiceService, { address: wallet.service.address(), to: 'wallet' })
  const hook = (body: Buffer, merchantId: string | null = null): Promise<Judgement> =>
    wallet.context.transact('every tenant', (tx) =>
      applyPaymentEvent(wallet.context, tx, {
        hookId: randomUUID(),
        merchantId,
        signedByPlatform: true,
        version: 1,
        body,
        receivedAt: new Date(),
      }),
    )
  door.respond(async ({ body }) => ({ status: 200, body: JSON.stringify(await hook(body)) }))

  async function control<T>(path: string, body?: object): Promise<T> {
    const answer = await fetch(`${providers.url()}/__control/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  return {
    ...wallet,
    payouts,
    as: (caller: Caller) => payouts.as(caller),
    /** A merchant whom admin knows, with its live key. */
    async merchant(): Promise<{ email: string; caller: Caller }> {
      const { merchantId, email } = await signUp(admin)
      return { email, caller: liveMerchant(merchantId) }
    },
    /** Mails that went out. */
    outbox: async () =>
      (await control<{ items: Array<{ to: string; template: string; text: string }> }>('outbox')).items,
    /** An operator whom admin knows, made by that one, else by an operator of its own. */
    async identity(maker: Caller = adminCaller()): Promise<Caller & { discard(): Promise<unknown> }> {
      const asked = { email: `${randomUUID()}@ops.example`, password: PASSWORD, role: 'administrator' }
      const { identity } = await admin.operators.as(maker).createIdentity(asked)
      const { id } = identity!
      const discard = () => admin.operators.as(maker).deleteIdentity({ id })
      return { ...adminCaller({ actor: { type: 'admin', id }, credential: `operator:${id}` }), discard }
    },
    /** Throws at this step the next `times` times it is reached, as a process that dies there. */
    dieAt(step: string, times = 1): void {
      let left = times
      failpoint = (name) => {
        if (name === step && left-- > 0) throw new Error(`died at ${step}`)
      }
    },
    /** Does something at this step, once. */
    at(step: string, act: () => void): void {
      let isDone = false
      failpoint = (name) => {
        if (name !== step || isDone) return
        isDone = true
        act()
      }
    },
    /** What goes wrong at the provider. */
    fault: (fault: object) => control('faults', { provider: 'payments-a', ...fault }),
    /** How a transfer ends at the provider, and what was made of each hook about it. */
    async end(reference: string, outcome: 'success' | 'failed' | 'reversed', told: object = {}): Promise<Judgement[]> {
      const order = { outcome, ...told }
      const { deliveries } = await control<{ deliveries: Array<{ body: string }> }>(`transfers/${reference}`, order)
      return deliveries.map(({ body }) => JSON.parse(body) as Judgement)
    },
    /** Requests of ours to the provider. */
    async asked(method: string, path: string): Promise<Array<{ body: { reference?: string } }>> {
      const { requests } = await control<{ requests: Array<{ method: string; path: string; body: object }> }>(
        'requests',
      )
      return requests.filter((one) => one.method === method && one.path === path)
    },
    /** A hook of the provider, as bytes. */
    hook,
    async stop() {
      payouts.close()
      await wallet.stop()
      await admin.stop()
      await providers.stop()
      await door.close()
    },
  }
}

export const liveMerchant = (merchantId: string = randomUUID()) => merchantCaller({ merchantId, isTest: false })
export const rider = (riderId: string = randomUUID()) => riderCaller(riderId)
export const operator = () => adminCaller()

/** The owner that a caller is. */
export const ownerOf = ({ kind, merchantId, actor }: Caller): Owner =>
  kind === 'rider' ? { kind: 'rider', id: actor.id } : { kind: 'merchant', id: merchantId! }

let accounts = 1_000_000_000

/** A bank account that is not registered yet. */
export const newAccount = () => ({ bank_code: '058', account_number: String(accounts++), is_default: false })

/** A caller with a funded wallet and an instrument that may be paid to. */
export async function payee(payouts: TestPayouts, caller: Caller, amountMinor: number): Promise<Caller> {
  await payouts.fund(ownerOf(caller), amountMinor)
  await payouts.as(caller).createPayoutInstrument(newAccount())
  return caller
}

/** A withdrawal that operators have approved. */
export async function approved(payouts: TestPayouts, caller: Caller, amount_minor: number): Promise<string> {
  const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor })
  await payouts.as(operator()).approveWithdrawal({ id: withdrawal!.id })
  return withdrawal!.id
}
