import { accountHolder, bankName } from './banks.ts'
import {
  type Books,
  type Customer,
  codeOf,
  type Recipient,
  type Subscription,
  type Transaction,
  type Transfer,
} from './books.ts'
import { type Plan, planOf } from './plans.ts'

const INTEGRATION = 463433

export const authorizationBody = (code: string, accountName: string | null = null) => ({
  authorization_code: code,
  bin: '408408',
  last4: '4081',
  exp_month: '12',
  exp_year: '2030',
  channel: 'card',
  card_type: 'visa ',
  bank: 'TEST BANK',
  country_code: 'NG',
  brand: 'visa',
  reusable: true,
  signature: `SIG_${code.slice(-15)}`,
  account_name: accountName,
})

/** As it stands inside a payment or a subscription. */
const payerBody = ({ id, firstName, lastName, email, customerCode, phone, metadata }: Customer) => ({
  id,
  first_name: firstName,
  last_name: lastName,
  email,
  customer_code: customerCode,
  phone,
  metadata,
  risk_action: 'default',
  international_format_phone: null,
})

const innerPlanBody = ({ id, code, name, description, amount, interval, currency }: Plan) => ({
  id,
  name,
  plan_code: code,
  description,
  amount,
  interval,
  send_invoices: true,
  send_sms: true,
  currency,
})

const authorizationOf = (books: Books, email: string) => {
  const code = books.customers.get(email)?.authorizationCodes[0]
  return code === undefined ? {} : authorizationBody(code)
}

/** A payment as hooks carry it: its plan is an object, empty where there is none. */
export const paymentBody = (books: Books, transaction: Transaction) => ({
  id: transaction.id,
  domain: books.domain,
  status: transaction.status,
  reference: transaction.reference,
  amount: transaction.amount,
  message: null,
  gateway_response: { success: 'Successful', failed: 'Declined', abandoned: 'The transaction was not completed' }[
    transaction.status
  ],
  paid_at: transaction.paidAt,
  created_at: transaction.createdAt,
  channel: 'card',
  currency: transaction.currency,
  ip_address: '127.0.0.1',
  metadata: transaction.metadata,
  log: null,
  fees: 0,
  fees_split: null,
  authorization: transaction.status === 'success' ? authorizationOf(books, transaction.email) : {},
  customer: payerBody(books.customerOf(transaction.email)),
  plan: transaction.planCode === null ? {} : innerPlanBody(planOf(transaction.planCode)!),
  subaccount: {},
  split: {},
  order_id: null,
  paidAt: transaction.paidAt,
  requested_amount: transaction.amount,
})

/** A payment as the API answers it: its plan is a code, and the object stands beside it. */
export const transactionBody = (books: Books, transaction: Transaction) => {
  const { plan, ...body } = paymentBody(books, transaction)
  return {
    ...body,
    plan: transaction.planCode,
    plan_object: plan,
    createdAt: transaction.createdAt,
    transaction_date: transaction.createdAt,
  }
}

export const customerBody = (books: Books, customer: Customer) => ({
  ...payerBody(customer),
  transactions: [],
  subscriptions: [],
  authorizations: customer.authorizationCodes.map((code) => authorizationBody(code)),
  domain: books.domain,
  integration: INTEGRATION,
  identified: false,
  identifications: null,
  createdAt: customer.createdAt,
  updatedAt: customer.createdAt,
})

/** A subscription as hooks carry it, customer and plan spelt out. */
export const subscriptionBody = (books: Books, subscription: Subscription) => ({
  id: subscription.id,
  domain: books.domain,
  status: subscription.status,
  subscription_code: subscription.subscriptionCode,
  email_token: subscription.emailToken,
  amount: planOf(subscription.planCode)!.amount,
  cron_expression: '0 0 1 * *',
  next_payment_date: subscription.status === 'active' ? subscription.nextPaymentAt : null,
  open_invoice: null,
  integration: INTEGRATION,
  plan: innerPlanBody(planOf(subscription.planCode)!),
  authorization: authorizationBody(subscription.authorizationCode),
  customer: payerBody(books.customerOf(subscription.email)),
  createdAt: subscription.createdAt,
  created_at: subscription.createdAt,
})

/** The invoice by which a subscription took this payment. */
export const invoiceBody = (books: Books, subscription: Subscription, transaction: Transaction) => {
  const { status, subscription_code, email_token, amount, cron_expression, next_payment_date, open_invoice } =
    subscriptionBody(books, subscription)
  return {
    domain: books.domain,
    invoice_code: codeOf('INV', transaction.reference),
    amount: transaction.amount,
    period_start: transaction.paidAt,
    period_end: subscription.nextPaymentAt,
    status: 'success',
    paid: true,
    paid_at: transaction.paidAt,
    description: null,
    authorization: authorizationBody(subscription.authorizationCode),
    subscription: {
      status,
      subscription_code,
      email_token,
      amount,
      cron_expression,
      next_payment_date,
      open_invoice,
    },
    customer: payerBody(books.customerOf(subscription.email)),
    transaction: {
      reference: transaction.reference,
      status: transaction.status,
      amount: transaction.amount,
      currency: transaction.currency,
    },
    created_at: transaction.createdAt,
  }
}

export const recipientBody = (books: Books, recipient: Recipient) => ({
  active: true,
  createdAt: recipient.createdAt,
  currency: recipient.currency,
  domain: books.domain,
  id: recipient.id,
  integration: INTEGRATION,
  metadata: null,
  name: recipient.name,
  recipient_code: recipient.recipientCode,
  type: 'nuban',
  updatedAt: recipient.createdAt,
  is_deleted: false,
  details: {
    authorization_code: null,
    account_number: recipient.accountNumber,
    account_name: accountHolder(recipient.accountNumber, recipient.bankCode),
    bank_code: recipient.bankCode,
    bank_name: bankName(recipient.bankCode),
  },
})

/** A transfer as hooks and look-ups carry it; a recipient from before a restart is known by its code alone. */
export const transferBody = (books: Books, transfer: Transfer) => {
  const recipient = books.recipients.get(transfer.recipientCode)
  return {
    amount: transfer.amount,
    currency: transfer.currency,
    domain: books.domain,
    failures: null,
    id: transfer.id,
    integration: INTEGRATION,
    reason: transfer.reason,
    reference: transfer.reference,
    source: 'balance',
    source_details: null,
    status: transfer.status,
    titan_code: null,
    transfer_code: transfer.transferCode,
    transferred_at: null,
    recipient: recipient
      ? recipientBody(books, recipient)
      : { recipient_code: transfer.recipientCode, type: 'nuban', metadata: null },
    session: { provider: null, id: null },
    fee_charged: 0,
    gateway_response: transfer.status === 'failed' ? 'The bank declined the transfer' : null,
    ...(transfer.metadata !== undefined && { metadata: transfer.metadata }),
    createdAt: transfer.createdAt,
    updatedAt: transfer.updatedAt,
  }
}
