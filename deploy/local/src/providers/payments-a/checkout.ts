import { Router } from 'express'
import type { Books, Transaction } from './books.ts'
import type { Announce, Outcomes } from './outcomes.ts'

const OUTCOMES = { pay: 'success', fail: 'failed', abandon: 'abandoned' } as const

const page = (content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Checkout</title>
<style>body{font:1.1rem system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1rem;margin:0 .4rem .4rem 0}</style></head>
<body><h1>Checkout (rehearsal)</h1>${content}</body>
</html>`

/** References and amounts are of a kind that needs no escaping. */
const describe = ({ amount, currency, reference }: Transaction): string =>
  `<p>${currency} ${(amount / 100).toFixed(2)} for <code>${reference}</code></p>`

const BUTTONS = `<form method="post">
<button name="outcome" value="pay">Pay</button>
<button name="outcome" value="fail">Let it fail</button>
<button name="outcome" value="abandon">Abandon</button>
</form>`

/** The button that was pressed, from a form or from JSON. */
const pressed = (body: unknown): string | null =>
  typeof body === 'string'
    ? new URLSearchParams(body).get('outcome')
    : String((body as { outcome?: unknown } | null)?.outcome)

function backTo({ callbackUrl, reference }: Transaction): string | null {
  if (callbackUrl === null) return null
  const url = new URL(callbackUrl)
  url.searchParams.set('trxref', reference)
  url.searchParams.set('reference', reference)
  return url.href
}

/** The page where a customer pays. What happened is announced before the payer is sent back. */
export function checkoutRoutes(books: Books, outcomes: Outcomes, announce: Announce): Router {
  const router = Router()
  const find = (accessCode: string): Transaction | undefined =>
    [...books.transactions.values()].find((transaction) => transaction.accessCode === accessCode)

  router.get('/checkout/:accessCode', (request, response) => {
    const transaction = find(request.params.accessCode)
    if (!transaction) return void response.status(404).send(page('<p>There is no such payment.</p>'))
    const isPaid = transaction.status === 'success'
    response.send(page(describe(transaction) + (isPaid ? '<p>Paid already.</p>' : BUTTONS)))
  })

  router.post('/checkout/:accessCode', async (request, response) => {
    const transaction = find(request.params.accessCode)
    if (!transaction) return void response.status(404).send(page('<p>There is no such payment.</p>'))
    const button = pressed(request.body)
    if (button === null || !Object.hasOwn(OUTCOMES, button)) {
      return void response.status(400).send(page(describe(transaction) + BUTTONS))
    }
    if (transaction.status !== 'success') {
      await outcomes.charge(transaction, OUTCOMES[button as keyof typeof OUTCOMES], announce)
    }
    const back = backTo(transaction)
    if (back !== null) return response.redirect(303, back)
    response.send(page(`${describe(transaction)}<p>Status: ${transaction.status}</p>`))
  })

  return router
}
