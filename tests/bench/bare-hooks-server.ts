import { randomUUID } from 'node:crypto'
import express from 'express'
import pg from 'pg'

/** What hooks are measured against: no signature, no limits, no repeats that are found, no order. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const app = express()

app.post('/webhooks/storefront-a', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
  await pool.query({
    name: 'insert-hook',
    text: 'INSERT INTO baseline.hooks (id, body, received_at) VALUES ($1, $2, now())',
    values: [randomUUID(), request.body],
  })
  response.json({ received: true })
})

app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('listening'))
