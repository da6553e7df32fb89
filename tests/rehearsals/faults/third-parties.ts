import { eventually } from '@svc/testing'
import { openRateCard, placed } from '../../journeys/fleet.ts'
import { Api, answered } from '../../journeys/merchant.ts'
import { PATIENTLY } from '../../journeys/money.ts'
import type { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'
import { holdRow, leaveOpen } from './processes.ts'
import { freeze } from './servers.ts'

const PATIENCE = { timeoutMs: 120_000, intervalMs: 1_000 }

/** The double answers 503 to whatever is asked of this provider, or to these calls alone, from one of them on. */
async function refuse(stage: Stage, provider: string, match = {}, after = 0): Promise<void> {
  const providers = new Api(stage.system.providersUrl)
  const passes = { provider, match, mode: 'delay', count: after }
  if (after > 0) answered(200, await providers.post('/__control/faults', passes))
  const fault = { provider, match, mode: 'status', status: 503, count: 100_000 }
  answered(200, await providers.post('/__control/faults', fault))
}

/** A document of a business that waits for its scan. */
async function addDocument(owner: Api): Promise<void> {
  const bytes = Buffer.from('%PDF-1.4\n')
  const asked = { file_name: 'certificate.pdf', content_type: 'application/pdf', size_bytes: bytes.length }
  const document = { ...asked, document_type: 'certificate_of_incorporation' }
  const { upload, storage_key } = answered(201, await owner.post('/v1/me/kyb/uploads/presign', document)).body
  const { url, method, headers } = upload
  await fetch(url, { method, headers, body: new Uint8Array(bytes) })
  answered(201, await owner.post('/v1/me/kyb/documents', { storage_key }))
}

/** A withdrawal that an operator lets go out. */
async function withdraw(stage: Stage): Promise<string> {
  const { live } = await stage.fleet()
  const account = { bank_code: '058', account_number: '0123456780' }
  const instrument = await live.post('/v1/me/payout-instruments', account)
  if (instrument.status !== 409) answered(201, instrument)
  const asked = answered(201, await live.post('/v1/me/withdrawals/request', { amount_minor: 500_000 }))
  const { id } = asked.body.withdrawal
  await refuse(stage, 'payments-a')
  answered(200, await (await stage.operator()).post(`/v1/admin/withdrawals/${id}/approve`))
  return id
}

export const THIRD_PARTIES: readonly Fault[] = [
  {
    name: 'third-parties-away',
    what: 'the providers of messages, mails and payments and the store of documents answer 503; the scan and the payout are dated back',
    watched: [
      { alert: 'SosUnsent', section: 'dispatch.md#an-sos-does-not-go-out' },
      { alert: 'IntentsWait', section: 'dispatch.md#what-to-do' },
      { alert: 'ScansWait', section: 'scans.md#what-to-do' },
      { alert: 'PayoutsUnsent', section: 'wallet.md#payouts-wait' },
      { alert: 'PayoutsWait', section: 'wallet.md#payouts-wait' },
    ],
    async cause(stage) {
      const { merchant, rider } = await stage.fleet()
      const withdrawal = await withdraw(stage)
      await refuse(stage, 'messaging-a')
      answered(201, await rider.api.post('/v1/riders/me/sos', { lat: 6.45, lng: 3.39, note: 'rehearsed' }))
      await refuse(stage, 'email-a')
      await stage.merchant()
      await refuse(stage, 'object-store', { method: 'GET' }, 1)
      await addDocument(merchant.owner)
      const [age, waits] = [`now() - interval '2 hours'`, `state = 'pending'`]
      await stage.sql('wallet', `UPDATE intent SET created_at = ${age} WHERE kind = 'payout' AND ${waits}`)
      await stage.sql('wallet', `UPDATE withdrawals SET reviewed_at = ${age} WHERE id = $1`, [withdrawal])
      await stage.sql('admin', `UPDATE intent SET created_at = ${age} WHERE kind = 'kyb_scan' AND ${waits}`)
      return async () => {
        await stage.follow('dispatch.md#an-sos-does-not-go-out', { phone: '+2348000000000' })
        await stage.follow('dispatch.md#what-to-do')
        await stage.follow('scans.md#what-to-do')
        await stage.follow('wallet.md#payouts-wait')
        const providers = new Api(stage.system.providersUrl)
        await providers.delete('/__control/faults')
        const ended = () => providers.post(`/__control/transfers/wd_${withdrawal}`, { outcome: 'success' })
        await eventually(async () => (await ended()).status === 200, { ...PATIENCE, ...PATIENTLY })
      }
    },
  },
  {
    name: 'attachment-held',
    what: 'a session that somebody left open holds the attachment of a mail, which is dated back',
    watched: [{ alert: 'AttachmentsWait', section: 'ingestion.md#attachments-wait' }],
    async cause(stage) {
      const { merchant } = await stage.fleet()
      const providers = new Api(stage.system.providersUrl)
      const [emailId, id] = [crypto.randomUUID(), crypto.randomUUID()]
      const pickup = { address: '12 Marina Road, Lagos' }
      answered(200, await merchant.owner.send('PUT', '/v1/me/ingestion/email-a', { pickup }))
      const attachment = { id, filename: 'order.pdf', content_type: 'application/pdf' }
      const content_base64 = Buffer.from('%PDF-1.4\n').toString('base64')
      const mail = { text: 'Address: 4 Admiralty Way, Lekki', attachments: [{ ...attachment, content_base64 }] }
      answered(200, await providers.post(`/__control/emails/${emailId}`, mail))
      const to = [`store-${merchant.merchantId}@in.example.test`]
      const data = { email_id: emailId, from: 'Ada <ada@example.test>', to, subject: 'New', attachments: [attachment] }
      const body = JSON.stringify({ type: 'email.received', created_at: new Date().toISOString(), data })
      answered(200, await providers.post('/__control/emit', { provider: 'email-a', body }))
      const all = 'SELECT id FROM attachment_ocr_jobs'
      await eventually(async () => (await stage.sql('ingestion', all)).length > 0, PATIENCE)
      const back = `UPDATE attachment_ocr_jobs SET status = 'pending', next_at = now() - interval '40 minutes'`
      const due = `${all} WHERE status = 'pending' AND next_at < now() - interval '35 minutes' FOR UPDATE`
      const pid = await holdRow(stage, 'ingestion', back, due)
      return async () => {
        await stage.follow('ingestion.md#attachments-wait')
        await stage.follow('processes.md#poolexhausted', { service: 'ingestion', pid })
      }
    },
  },
]

export const MONEY: readonly Fault[] = [
  {
    name: 'wallet-frozen',
    what: 'wallet is stopped by SIGSTOP while it settles an order, and a top-up is paid; the hook is dated back',
    watched: [
      { alert: 'SettlementsWait', section: 'wallet.md#settlements-wait' },
      { alert: 'MoneyLateFast', section: 'budgets.md#what-to-do' },
      { alert: 'MoneyLateSteadily', section: 'budgets.md#what-to-do' },
      { alert: 'HooksUnjudged', section: 'ingestion.md#unjudged' },
    ],
    async cause(stage) {
      const { live, rider } = await stage.fleet()
      const topUp = answered(201, await live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: 600_000 }))
      const { id } = answered(201, await live.post('/v1/orders', placed())).body.order
      answered(200, await live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id }))
      const open = (kind: string) =>
        `SELECT FROM intent WHERE state = 'pending' AND subject_id = $1 AND kind = '${kind}'`
      const isOpen = async (kind: string) => (await stage.sql('order', open(kind), [id])).length > 0
      await eventually(async () => !(await isOpen('commission_reserve')), PATIENCE)
      // A settlement begins once the wallet has planned it: what keeps the wallet from deciding gives the time to stop it.
      const pid = await leaveOpen(stage, 'wallet', 'LOCK TABLE wallet_ops IN SHARE MODE')
      void live.patch(`/v1/orders/${id}`, { status: 'delivered' }).catch(() => undefined)
      await eventually(() => isOpen('commission'), PATIENCE)
      const thaw = freeze(stage, 'wallet')
      await stage.sql('wallet', 'SELECT pg_terminate_backend($1)', [pid])
      const providers = new Api(stage.system.providersUrl)
      answered(200, await providers.post(`/__control/charges/${topUp.body.reference}`, { outcome: 'success' }))
      const back = `UPDATE inbound_hooks SET handed_on_at = now() - interval '26 hours' WHERE state = 'received' RETURNING id`
      await eventually(async () => (await stage.sql('ingestion', back)).length > 0, PATIENCE)
      return async () => {
        await stage.follow('ingestion.md#unjudged')
        await stage.follow('wallet.md#settlements-wait', { order_id: id })
        thaw()
      }
    },
  },
  {
    name: 'cash-kept',
    what: 'a rider keeps the cash of a live order; since when is dated back',
    watched: [{ alert: 'CashHeldLong', section: 'wallet.md#cash-is-held-long' }],
    async cause(stage) {
      const { live, merchant, rider } = await stage.fleet()
      const order = placed({}, { cod_amount_minor: 10_000 })
      const { id } = answered(201, await live.post('/v1/orders', order)).body.order
      answered(200, await live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id }))
      const tell = (body: object) =>
        eventually(async () => answered(200, await rider.api.post(`/v1/riders/me/orders/${id}/status`, body)), PATIENCE)
      await tell({ status: 'accepted' })
      await tell({ status: 'picked_up' })
      await tell({ status: 'delivered', cod_collected_minor: 10_000 })
      const back = `UPDATE cash_accounts SET held_since = now() - interval '8 days' WHERE in_hand_minor > 0 RETURNING rider_id`
      await eventually(async () => (await stage.sql('wallet', back)).length > 0, PATIENCE)
      return async () => {
        await stage.follow('wallet.md#cash-is-held-long')
        const desk = { rider_id: rider.id, amount_minor: 10_000 }
        const taken = answered(201, await merchant.owner.post('/v1/me/cod-remittances', desk)).body.remittance
        answered(200, await merchant.owner.post(`/v1/me/cod-remittances/${taken.id}/confirm`, {}))
      }
    },
  },
  {
    name: 'shipment-held',
    what: 'a session that somebody left open holds a shipment half of whose orders are begun, which is dated back',
    watched: [{ alert: 'ShipmentsWait', section: 'shipments.md#what-to-do' }],
    async cause(stage) {
      const { merchantId, test } = await stage.merchant()
      await openRateCard(await stage.operator(), merchantId)
      const row = {
        recipient_name: 'Ada Obi',
        recipient_phone: '08031234567',
        dropoff_address: '22 Broad Street, Lagos',
      }
      const body = { pickup: { address: '1 Marina Road, Lagos' }, orders: Array(500).fill(row) }
      const { shipment_id } = answered(201, await test.post('/v1/shipments/bulk-json', body)).body
      answered(200, await test.post(`/v1/shipments/${shipment_id}/submit`))
      const back = `UPDATE shipments SET turn_at = now() - interval '10 minutes' WHERE id = '${shipment_id}'`
      const due = `SELECT FROM shipments WHERE id = '${shipment_id}' AND begun_at IS NULL
                      AND turn_at < now() - interval '9 minutes' FOR UPDATE`
      const pid = await holdRow(stage, 'order', back, due)
      return async () => {
        await stage.follow('shipments.md#what-to-do')
        await stage.follow('processes.md#poolexhausted', { service: 'order', pid })
      }
    },
  },
]
