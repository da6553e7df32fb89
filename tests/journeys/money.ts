import { eventually, type RunningMesh } from '@svc/testing'
import { Api, answered } from './merchant.ts'

/** Live keys may ask 300 times a minute. */
export const PATIENTLY = { intervalMs: 300 }

type Providers = Pick<RunningMesh, 'providersUrl'>

/** Pays an amount into the live wallet through the checkout of the double of the provider; ends once it is there. */
export async function topUp(system: Providers, live: Api, amountMinor: number): Promise<string> {
  const balance = async () => answered(200, await live.get('/v1/me/wallet')).body.wallet.balance_minor as number
  const before = await balance()
  const intent = await live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: amountMinor })
  const { reference } = answered(201, intent).body
  await pay(system, reference, {})
  await eventually(async () => (await balance()) === before + amountMinor, PATIENTLY)
  return reference
}

/** Tells the double that the payment of a reference succeeded. */
export async function pay(system: Providers, reference: string, more: Record<string, unknown>): Promise<void> {
  const control = new Api(system.providersUrl)
  answered(200, await control.post(`/__control/charges/${reference}`, { outcome: 'success', ...more }))
}

/** Tells the double how a transfer ended, as soon as it was asked for one. */
export async function endTransfer(system: Providers, reference: string, outcome: string): Promise<void> {
  const control = new Api(system.providersUrl)
  const told = async () => (await control.post(`/__control/transfers/${reference}`, { outcome })).status === 200
  await eventually(told, PATIENTLY)
}
