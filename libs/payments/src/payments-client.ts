import { PaymentRefusedError, type Payments, type Plan } from './payments.ts'
import { providerApi } from './provider-api.ts'
import * as reply from './replies.ts'

const TIMEOUT_MS = 10_000
const PLANS_PER_PAGE = 50
/** More plans than a platform offers: a provider that counts its pages wrongly does not keep us for ever. */
const MAX_PLAN_PAGES = 100

export interface PaymentsClientOptions {
  /** Base URL of the provider's API. */
  baseUrl: string
  secretKey: string
  /** Of one request; a read that is repeated may take twice as long. */
  timeoutMs?: number
}

/** Talks to the provider over HTTP and keeps what `Payments` promises. No error of it names the key. */
export function paymentsClient({ baseUrl, secretKey, timeoutMs = TIMEOUT_MS }: PaymentsClientOptions): Payments {
  const api = providerApi({ baseUrl, secretKey, timeoutMs })

  return {
    mode: modeOf(secretKey),

    initializeTransaction: ({ reference, email, amountMinor, currency, callbackUrl, planCode, metadata }) =>
      api.post('transaction/initialize', reply.checkout, {
        reference,
        email,
        amount: amountMinor,
        currency,
        callback_url: callbackUrl,
        plan: planCode,
        metadata,
      }),

    verifyTransaction: (reference) =>
      nullWhere(isNotFound, api.get(`transaction/verify/${encodeURIComponent(reference)}`, reply.charge)),

    async listPlans() {
      const plans: Plan[] = []
      for (let page = 1; page <= MAX_PLAN_PAGES; page++) {
        const listed = await api.get(`plan?perPage=${PLANS_PER_PAGE}&page=${page}`, reply.plans)
        plans.push(...listed.plans)
        const isLast = listed.pageCount === null ? listed.listedCount < PLANS_PER_PAGE : page >= listed.pageCount
        if (isLast) return plans
      }
      return plans
    },

    findCustomer: (customerCode) =>
      nullWhere(isNotFound, api.get(`customer/${encodeURIComponent(customerCode)}`, reply.customer)),

    createSubscription: ({ customerCode, planCode, authorizationCode }) =>
      api.post('subscription', reply.subscription, {
        customer: customerCode,
        plan: planCode,
        authorization: authorizationCode,
      }),

    subscriptionManageUrl: (subscriptionCode) =>
      api.get(`subscription/${encodeURIComponent(subscriptionCode)}/manage/link`, reply.manageUrl),

    resolveAccount({ accountNumber, bankCode }) {
      const query = new URLSearchParams({ account_number: accountNumber, bank_code: bankCode })
      return nullWhere(isUnresolved, api.get(`bank/resolve?${query.toString()}`, reply.accountName))
    },

    createRecipient: ({ name, accountNumber, bankCode, currency }) =>
      api.post('transferrecipient', reply.recipient, {
        type: 'nuban',
        name,
        account_number: accountNumber,
        bank_code: bankCode,
        currency,
      }),

    initiateTransfer: ({ reference, recipientCode, amountMinor, currency, reason }) =>
      api.post('transfer', reply.transfer, {
        source: 'balance',
        reference,
        recipient: recipientCode,
        amount: amountMinor,
        currency,
        reason,
      }),

    verifyTransfer: (reference) =>
      nullWhere(isNotFound, api.get(`transfer/verify/${encodeURIComponent(reference)}`, reply.transfer)),

    close: api.close,
  }
}

/** Whether a secret key moves live money or rehearses; null where it does not tell. */
export const modeOf = (secretKey: string): Payments['mode'] => {
  if (secretKey.startsWith('sk_live_')) return 'live'
  return secretKey.startsWith('sk_test_') ? 'test' : null
}

/** By word, not by status alone: a wrong address is a 404 too, and says nothing about a payment. */
const isNotFound = ({ status, code, message }: PaymentRefusedError): boolean =>
  (status === 404 || status === 400) && /not.found|customer email is invalid/i.test(`${code} ${message}`)

const isUnresolved = ({ status }: PaymentRefusedError): boolean => [400, 404, 422].includes(status)

const nullWhere = <T>(isUnknown: (refusal: PaymentRefusedError) => boolean, answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof PaymentRefusedError && isUnknown(error)) return null
    throw error
  })
