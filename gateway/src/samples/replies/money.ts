import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const wallet = {
  id,
  balance_minor: 900_000,
  available_minor: 650_000,
  held_minor: 250_000,
  currency: 'NGN',
  updated_at: at,
}

const entry = {
  id,
  wallet_id: id,
  entry_type: 'withdrawal_reserve',
  direction: 'debit',
  amount_minor: 250_000,
  currency: 'NGN',
  balance_after_minor: 650_000,
  order_id: id,
  shipment_id: id,
  withdrawal_id: id,
  reference: 'wd_1',
  description: 'A withdrawal',
  created_at: at,
}

const escrowEntry = {
  id,
  order_id: id,
  entry_type: 'commission_hold',
  amount_minor: 5_000,
  currency: 'NGN',
  rider_id: id,
  created_at: at,
}

const instrument = {
  id,
  bank_code: '058',
  bank_name: 'Bank of Lagos',
  account_name: 'ADA OBI',
  account_last4: '6789',
  is_default: true,
  frozen_until: at,
  created_at: at,
}

export const withdrawal = {
  id,
  owner_type: 'merchant',
  owner_id: id,
  amount_minor: 250_000,
  currency: 'NGN',
  status: 'pending_review',
  payout_instrument_id: id,
  account_last4: '6789',
  bank_code: '058',
  created_at: at,
  approvals: 1,
}

const checkout = {
  reference: 'tp_1',
  authorization_url: 'https://checkout.example/tp_1',
  access_code: 'a1',
  amount_minor: 600_000,
}

const rule = { amount_minor: 7_000, vehicle_type: 'van', source: 'api' }

const statuses = ['delivered']

const commission = {
  settings: {
    automation: true,
    trigger_statuses: { values: statuses },
    merchant_debit: true,
    require_payment_verified: false,
    rules: [rule],
    updated_at: at,
  },
  effective: {
    automation: true,
    trigger_statuses: statuses,
    merchant_debit: true,
    require_payment_verified: false,
    rules: [rule],
    default_commission_minor: 5_000,
  },
}

const cashAccount = {
  rider_id: id,
  merchant_id: id,
  currency: 'NGN',
  in_hand_minor: 40_000,
  collected_minor: 60_000,
  remitted_minor: 15_000,
  adjusted_minor: -5_000,
  held_since: at,
  is_test: false,
}

const remittance = {
  id,
  rider_id: id,
  merchant_id: id,
  currency: 'NGN',
  is_test: false,
  status: 'declared',
  declared_minor: 20_000,
  received_minor: 15_000,
  declared_by: 'rider',
  note: 'At the desk',
  reason: 'One note was torn',
  created_at: at,
  decided_at: at,
  proposed_minor: 20_000,
  proposed_by: id,
}

const adjustment = {
  id,
  rider_id: id,
  merchant_id: id,
  currency: 'NGN',
  status: 'applied',
  amount_minor: -5_000,
  reason: 'A note that nobody took',
  proposed_by: id,
  decided_by: id,
  created_at: at,
  decided_at: at,
}

const cashEntry = {
  id,
  entry_type: 'cash_remitted',
  rider_id: id,
  amount_minor: -15_000,
  currency: 'NGN',
  order_id: id,
  remittance_id: id,
  description: 'One note was torn',
  created_at: at,
}
const cashTotal = {
  currency: 'NGN',
  in_hand_minor: 40_000,
  collected_minor: 60_000,
  remitted_minor: 15_000,
  adjusted_minor: -5_000,
}

/** What the services of money answer, by rpc. */
export const moneyReplies = {
  getWallet: { wallet, ledger_transactions: [entry], ...page },
  getRiderWallet: { wallet, ledger_transactions: [entry], ...page },
  getRiderCash: { items: [cashAccount], ...page },
  listCashAccounts: { items: [cashAccount], ...page },
  declareRemittance: { remittance, replayed: false },
  listRemittances: { items: [remittance], ...page },
  confirmRemittance: { remittance: { ...remittance, status: 'confirmed' } },
  disputeRemittance: { remittance: { ...remittance, status: 'disputed' } },
  withdrawRemittance: { remittance: { ...remittance, status: 'withdrawn' } },
  resolveRemittance: { remittance: { ...remittance, status: 'resolved' } },
  listCashDifferences: { items: [remittance], ...page },
  adjustCash: { adjustment, replayed: false },
  listCashAdjustments: { items: [adjustment], ...page },
  approveCashAdjustment: { adjustment },
  rejectCashAdjustment: { adjustment: { ...adjustment, status: 'rejected' } },
  getCashStatement: { items: [cashEntry], ...page, totals: [cashTotal] },
  listEscrowLedger: { items: [escrowEntry], ...page },
  setTestWallet: { wallet },
  createTopupIntent: { ...checkout, currency: 'NGN', idempotent_replay: false },
  listPayoutInstruments: { items: [instrument] },
  createPayoutInstrument: { payout_instrument: instrument },
  setDefaultPayoutInstrument: { payout_instrument: instrument },
  listWithdrawals: { items: [withdrawal], ...page, min_amount_minor: 100_000, four_eyes_above_minor: 5_000_000 },
  requestWithdrawal: { withdrawal, replayed: false },
  cancelWithdrawal: { withdrawal: { ...withdrawal, status: 'cancelled' } },
  approveWithdrawal: { withdrawal: { ...withdrawal, reviewed_by: id, reviewed_at: at } },
  rejectWithdrawal: { withdrawal: { ...withdrawal, status: 'rejected', failure_reason: 'unclear' } },
  retryWithdrawal: {
    withdrawal: { ...withdrawal, status: 'processing', paid_at: at, provider_reference: `wd_${id}_2` },
  },
  getBilling: {
    billing_enforcement_enabled: true,
    billing_entitlements_note: 'Every delivery is paid for.',
    subscription_manage_url: 'https://pay.example/manage',
  },
  getBillingUsage: {
    deliveries_used: 12,
    included_allowance: 100,
    overage_fee_minor: 2_500,
    cycle_end: at,
    usage_percent: 12,
    over_allowance: false,
  },
  listPlans: {
    items: [
      {
        plan_code: 'PLN_1',
        name: 'Monthly',
        description: 'Hybrid',
        amount_minor: 500_000,
        interval: 'monthly',
        currency: 'NGN',
      },
    ],
  },
  createSubscriptionIntent: checkout,
  createSubscription: { subscription_code: 'SUB_1', plan_code: 'PLN_1', status: 'active', next_payment_at: at },
  getCommissionSettings: commission,
  replaceCommissionSettings: commission,
} satisfies Partial<RpcReplies>
