import { createHash } from 'node:crypto'
import type { World } from '../world.ts'

export type ChargeStatus = 'abandoned' | 'success' | 'failed'

export interface Transaction {
  id: number
  reference: string
  accessCode: string
  email: string
  amount: number
  currency: string
  planCode: string | null
  callbackUrl: string | null
  /** As it was sent; hooks and answers carry it so. */
  metadata: unknown
  /** `abandoned` until a customer pays, as the real one has it: it says nothing about what may still come. */
  status: ChargeStatus
  createdAt: string
  paidAt: string | null
}

export type NewTransaction = Pick<
  Transaction,
  'email' | 'amount' | 'currency' | 'planCode' | 'callbackUrl' | 'metadata'
> & {
  /** Made up where it is missing. */
  reference?: string | undefined
}

export interface Recipient {
  id: number
  recipientCode: string
  name: string
  accountNumber: string
  bankCode: string
  currency: string
  createdAt: string
}

export interface Transfer {
  id: number
  transferCode: string
  reference: string
  recipientCode: string
  amount: number
  currency: string
  reason: string | null
  metadata: unknown
  status: 'pending' | 'success' | 'failed' | 'reversed'
  createdAt: string
  updatedAt: string
}

export interface Customer {
  id: number
  customerCode: string
  email: string
  firstName: string | null
  lastName: string | null
  phone: string | null
  metadata: unknown
  /** Reusable ones, newest first. */
  authorizationCodes: string[]
  createdAt: string
}

export interface Subscription {
  id: number
  subscriptionCode: string
  emailToken: string
  email: string
  planCode: string
  authorizationCode: string
  status: 'active' | 'non-renewing'
  nextPaymentAt: string
  createdAt: string
}

/** Everything that this provider remembers until it is reset or ends. */
export interface Books {
  /** Of the key that signs its hooks. */
  readonly domain: 'live' | 'test'
  now(): string
  nextId(): number
  /** By reference. */
  readonly transactions: Map<string, Transaction>
  /** By reference. */
  readonly transfers: Map<string, Transfer>
  /** By code. */
  readonly recipients: Map<string, Recipient>
  /** By mail address. */
  readonly customers: Map<string, Customer>
  /** By code. */
  readonly subscriptions: Map<string, Subscription>
  /** Unpaid as yet; undefined where the reference is taken. */
  beginTransaction(asked: NewTransaction): Transaction | undefined
  /** The customer of this address, made where there is none. */
  customerOf(email: string): Customer
  readonly clear: () => void
}

const FIRST_ID = 4_099_260_000

/** A code in the provider's form that stays the same from run to run for the same thing. */
export const codeOf = (prefix: string, ...parts: ReadonlyArray<string>): string =>
  `${prefix}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 15)}`

/** Empty books of the double, which answers and announces for the domain of this key. */
export function createBooks(world: World, secretKey: string): Books {
  let lastId = FIRST_ID
  const books: Books = {
    domain: secretKey.startsWith('sk_live_') ? 'live' : 'test',
    now: () => world.now().toISOString(),
    nextId: () => ++lastId,
    transactions: new Map(),
    transfers: new Map(),
    recipients: new Map(),
    customers: new Map(),
    subscriptions: new Map(),
    beginTransaction(asked) {
      const id = books.nextId()
      const reference = asked.reference ?? codeOf('T', String(id))
      if (books.transactions.has(reference)) return undefined
      const transaction: Transaction = {
        ...asked,
        id,
        reference,
        accessCode: codeOf('access', reference),
        status: 'abandoned',
        createdAt: books.now(),
        paidAt: null,
      }
      books.transactions.set(reference, transaction)
      return transaction
    },
    customerOf(email) {
      const known = books.customers.get(email)
      if (known) return known
      const customer: Customer = {
        id: books.nextId(),
        customerCode: codeOf('CUS', email),
        email,
        firstName: null,
        lastName: null,
        phone: null,
        metadata: null,
        authorizationCodes: [],
        createdAt: books.now(),
      }
      books.customers.set(email, customer)
      return customer
    },
    clear() {
      lastId = FIRST_ID
      for (const map of [books.transactions, books.transfers, books.recipients, books.customers, books.subscriptions]) {
        map.clear()
      }
    },
  }
  return books
}
