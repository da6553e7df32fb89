import { z } from 'zod'
import type { Charge, Checkout, Customer, Plan, Recipient, Subscription, Transfer } from './payments.ts'

/** In the subunit, as a number or as digits. */
export const amountSchema = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,16}$/)])
  .pipe(z.coerce.number<number | string>().int().max(Number.MAX_SAFE_INTEGER))

const text = z.string().min(1)
const absentText = z
  .string()
  .nullish()
  .transform((value) => value || null)
const date = z.iso
  .datetime({ offset: true })
  .nullish()
  .transform((value) => (value ? new Date(value) : null))

const answer = <Data>(data: z.ZodType<Data>) => z.object({ status: z.literal(true), data }).transform((it) => it.data)

export const checkout = answer(
  z
    .object({ authorization_url: z.url({ protocol: /^https?$/ }), access_code: text })
    .transform((it): Checkout => ({ authorizationUrl: it.authorization_url, accessCode: it.access_code })),
)

const authorization = z.object({ authorization_code: text, reusable: z.boolean().nullish() })

/** A filled plan, an empty one, its code, or none. */
const planCodeOf = z
  .union([z.string(), z.object({ plan_code: z.string().optional() })])
  .nullish()
  .transform((plan) => (typeof plan === 'string' ? plan : plan?.plan_code) || null)

export const charge = answer(
  z
    .object({
      reference: text,
      status: text,
      amount: amountSchema,
      currency: text,
      plan: planCodeOf,
      customer: z.object({ customer_code: absentText }).nullish(),
    })
    .transform(
      (it): Charge => ({
        reference: it.reference,
        status: it.status,
        amountMinor: it.amount,
        currency: it.currency,
        planCode: it.plan,
        customerCode: it.customer?.customer_code ?? null,
      }),
    ),
)

const plan = z
  .object({
    plan_code: text,
    name: text,
    description: absentText,
    amount: amountSchema,
    interval: text,
    currency: text,
    is_deleted: z.boolean().nullish(),
    is_archived: z.boolean().nullish(),
  })
  .transform((it) => ({
    isActive: !it.is_deleted && !it.is_archived,
    // Named one by one: the provider nests other customers' subscriptions and cards in a plan.
    plan: {
      planCode: it.plan_code,
      name: it.name,
      description: it.description,
      amountMinor: it.amount,
      interval: it.interval,
      currency: it.currency,
    } satisfies Plan,
  }))

/** One page of plans. */
export const plans = z
  .object({
    status: z.literal(true),
    data: z.array(plan),
    meta: z.object({ pageCount: z.int().nonnegative().nullish() }).nullish(),
  })
  .transform((it) => ({
    plans: it.data.filter(({ isActive }) => isActive).map((listed) => listed.plan),
    listedCount: it.data.length,
    pageCount: it.meta?.pageCount ?? null,
  }))

export const customer = answer(
  z.object({ customer_code: text, email: z.string(), authorizations: z.array(authorization).nullish() }).transform(
    (it): Customer => ({
      customerCode: it.customer_code,
      email: it.email,
      authorizations: (it.authorizations ?? []).map(({ authorization_code, reusable }) => ({
        authorizationCode: authorization_code,
        isReusable: reusable === true,
      })),
    }),
  ),
)

export const subscription = answer(
  z.object({ subscription_code: text, status: text, next_payment_date: date }).transform(
    (it): Subscription => ({
      subscriptionCode: it.subscription_code,
      status: it.status,
      nextPaymentAt: it.next_payment_date,
    }),
  ),
)

export const manageUrl = answer(z.object({ link: z.url({ protocol: /^https?$/ }) }).transform(({ link }) => link))

export const accountName = answer(z.object({ account_name: text }).transform((it) => it.account_name))

export const recipient = answer(
  z
    .object({
      recipient_code: text,
      details: z.object({ bank_name: absentText }).nullish(),
    })
    .transform(
      (it): Recipient => ({
        recipientCode: it.recipient_code,
        bankName: it.details?.bank_name ?? null,
      }),
    ),
)

export const transfer = answer(
  z.object({ reference: text, status: text, amount: amountSchema, currency: text }).transform(
    (it): Transfer => ({
      reference: it.reference,
      status: it.status,
      amountMinor: it.amount,
      currency: it.currency,
    }),
  ),
)
