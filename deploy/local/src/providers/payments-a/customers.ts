import { Router } from 'express'
import { z } from 'zod'
import { customerBody } from './bodies.ts'
import type { Books, Customer } from './books.ts'
import { answer, refuse } from './envelope.ts'

const newCustomer = z.object({
  email: z.email(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  phone: z.string().nullish(),
  metadata: z.unknown().optional(),
})

/** The customer with this code or address. */
export const findCustomer = (books: Books, codeOrEmail: string): Customer | undefined =>
  books.customers.get(codeOrEmail) ??
  [...books.customers.values()].find(({ customerCode }) => customerCode === codeOrEmail)

const NO_CUSTOMER = 'Customer email is invalid for your domain.'

/** Those who pay. The same address is the same customer, before and after a restart. */
export function customerRoutes(books: Books): Router {
  const router = Router()

  router.post('/customer', (request, response) => {
    const parsed = newCustomer.safeParse(request.body)
    if (!parsed.success) return refuse(response, 400, 'Email Address is required', 'missing_params')
    const { email, first_name, last_name, phone, metadata } = parsed.data
    const customer = books.customerOf(email)
    customer.firstName = first_name ?? customer.firstName
    customer.lastName = last_name ?? customer.lastName
    customer.phone = phone ?? customer.phone
    customer.metadata = metadata ?? customer.metadata
    answer(response, 'Customer created', customerBody(books, customer))
  })

  router.get('/customer', (_request, response) => {
    answer(
      response,
      'Customers retrieved',
      [...books.customers.values()].map((customer) => customerBody(books, customer)),
    )
  })

  router.get('/customer/:code', (request, response) => {
    const customer = findCustomer(books, request.params.code)
    if (!customer) return refuse(response, 404, NO_CUSTOMER, 'customer_not_found')
    answer(response, 'Customer retrieved', customerBody(books, customer))
  })

  router.post('/customer/:code/identification', (request, response) => {
    if (!findCustomer(books, request.params.code)) return refuse(response, 404, NO_CUSTOMER, 'customer_not_found')
    const { bvn } = (request.body ?? {}) as { bvn?: unknown }
    if (!/^\d{11}$/.test(String(bvn))) return refuse(response, 400, 'Invalid BVN')
    response.status(202)
    answer(response, 'Customer Identification in progress')
  })

  return router
}
