import { Router } from 'express'
import { authorizationBody } from './bodies.ts'
import { type Books, codeOf } from './books.ts'
import { PLANS, type Plan } from './plans.ts'

/** Real plans come with the subscriptions of all customers and their cards: no service may pass this on as it is. */
const planBody = (books: Books, { id, code, isArchived, ...shown }: Plan) => ({
  subscriptions: [
    {
      customer: 63,
      plan: id,
      integration: 100032,
      domain: books.domain,
      status: 'active',
      quantity: 1,
      amount: shown.amount,
      subscription_code: codeOf('SUB', 'somebody else', code),
      email_token: 'secret-of-somebody-else',
      authorization: authorizationBody(codeOf('AUTH', 'somebody else', code), 'Somebody Else'),
      next_payment_date: '2026-12-27T07:00:00.000Z',
      id: id + 100,
    },
  ],
  integration: 100032,
  domain: books.domain,
  plan_code: code,
  ...shown,
  send_invoices: true,
  send_sms: true,
  hosted_page: false,
  is_deleted: false,
  is_archived: isArchived,
  id,
})

const numberOf = (value: unknown, otherwise: number): number => (Number(value) > 0 ? Number(value) : otherwise)

/** The plans on offer, page by page. */
export function planRoutes(books: Books): Router {
  const router = Router()
  router.get('/plan', (request, response) => {
    const perPage = numberOf(request.query['perPage'], 50)
    const page = numberOf(request.query['page'], 1)
    const skipped = (page - 1) * perPage
    response.json({
      status: true,
      message: 'Plans retrieved',
      data: PLANS.slice(skipped, skipped + perPage).map((each) => planBody(books, each)),
      meta: { total: PLANS.length, skipped, perPage, page, pageCount: Math.ceil(PLANS.length / perPage) },
    })
  })
  return router
}
