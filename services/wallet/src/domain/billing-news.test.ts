import { expect, test } from '@jest/globals'
import { parsePaymentEvent } from '@svc/payments'
import { newsOf } from './billing-news.ts'

const newsIn = (event: string, data: object) => newsOf(parsePaymentEvent(Buffer.from(JSON.stringify({ event, data })))!)

const subscription = { subscription_code: 'SUB_1', next_payment_date: '2026-12-01T00:00:00Z' }
const at = new Date('2026-11-01T00:00:00Z')
const due = new Date('2026-12-01T00:00:00Z')

test.each<[string, object, object]>([
  ['subscription.create', { ...subscription, plan: { plan_code: 'PLN_1' } }, { planCode: 'PLN_1', periodEnd: due }],
  ['subscription.not_renew', { subscription_code: 'SUB_1', next_payment_date: null }, { isNotRenewing: true }],
  ['subscription.disable', { ...subscription, status: 'complete' }, { hasEnded: true }],
  ['subscription.disable', { ...subscription, status: 'cancelled' }, { hasEnded: true }],
  ['subscription.disable', { ...subscription, status: 'active' }, { outcome: 'ignored' }],
  ['invoice.create', { subscription, paid: true, created_at: at }, { periodEnd: due, lastPaidAt: at }],
  ['invoice.update', { subscription, paid: true, createdAt: at }, { periodEnd: due, lastPaidAt: at }],
  ['invoice.update', { subscription, paid: false, created_at: at }, { outcome: 'ignored', reason: 'unpaid_invoice' }],
  ['invoice.update', { subscription, paid: 'true', created_at: at }, { outcome: 'ignored', reason: 'unpaid_invoice' }],
  ['invoice.payment_failed', { subscription, paid: false, created_at: at }, { lastFailedAt: at }],
  // Without its time it cannot be told from an older one.
  ['invoice.payment_failed', { subscription, paid: false }, { outcome: 'refused', reason: 'no_time' }],
  ['invoice.update', { subscription, paid: true, created_at: 'soon' }, { outcome: 'refused', reason: 'no_time' }],
  ['subscription.expiring_cards', [{ subscription }], { outcome: 'ignored', reason: 'expiring_cards' }],
  ['subscription.paused', subscription, { outcome: 'ignored', reason: 'unknown_event' }],
])('%s with %j says %j', (event, data, news) => {
  expect(newsIn(event, data)).toMatchObject(news)
})

test('an ended subscription says nothing of its period, for the provider names a time then that nobody will pay at', () => {
  expect(newsIn('subscription.disable', { ...subscription, status: 'complete' })).not.toHaveProperty('periodEnd')
})
