import { randomBytes, randomUUID } from 'node:crypto'
import express from 'express'
import pg from 'pg'

/**
 * What the mesh is measured against: one process and one statement a request, on rows of the same size in tables of the same
 * columns and indexes; no authentication, no limits, no outbox, no webhooks.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
/** Where orders are read: those of the mesh, unless told otherwise. */
const ORDERS = process.env['READS_ORDERS'] ?? 'public.orders'
const app = express()

app.post('/v1/orders', express.json({ limit: '1mb' }), async (request, response) => {
  const { source, external_order_id, raw_payload, standardized } = request.body
  const unified = { schema_version: '1', status: 'pending', payment_verified: false, raw_payload, standardized }
  const { rows } = await pool.query({
    name: 'insert-order',
    text: `INSERT INTO baseline.orders (id, merchant_id, is_test, source, external_order_id, status, payment_verified,
             unified_json, tracking_token, scheduled_pickup_at, delivery_window_start, delivery_window_end,
             request_fingerprint, version, assignment_version, created_at, updated_at)
           VALUES ($1, $2, true, $3, $4, 'pending', false, $5, $6, $7, $8, $9, $10, 1, 0, now(), now()) RETURNING *`,
    values: [
      randomUUID(),
      '00000000-0000-4000-8000-000000000000',
      source,
      external_order_id,
      JSON.stringify(unified),
      randomBytes(16).toString('base64url'),
      standardized.scheduled_pickup_at,
      standardized.delivery_window_start,
      standardized.delivery_window_end,
      randomBytes(32),
    ],
  })
  response.status(201).json({ order: rows[0], idempotent: false })
})

app.get('/v1/orders/:id', async (request, response) => {
  const { rows } = await pool.query({
    name: 'get-order',
    text: `SELECT * FROM ${ORDERS} WHERE id = $1`,
    values: [request.params.id],
  })
  response.json({ order: rows[0] })
})

app.get('/v1/orders', async (_request, response) => {
  const { rows } = await pool.query({
    name: 'list-orders',
    text: `SELECT * FROM ${ORDERS} ORDER BY created_at DESC, id DESC LIMIT 50`,
  })
  response.json({ items: rows, total: rows.length })
})

app.post('/v1/riders/:id/location', express.json(), async (request, response) => {
  const { lat, lng } = request.body
  await pool.query({
    name: 'move-rider',
    text: `INSERT INTO baseline.positions (rider_id, lat, lng, at) VALUES ($1, $2, $3, now())
           ON CONFLICT (rider_id) DO UPDATE SET lat = excluded.lat, lng = excluded.lng, at = excluded.at`,
    values: [request.params.id, lat, lng],
  })
  response.json({ ok: true })
})

app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('listening'))
