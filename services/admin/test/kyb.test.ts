import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { systemCaller } from '@svc/grpc'
import { sweep } from '@svc/lifecycle'
import { adminCaller, eventually, onceAvailable } from '@svc/testing'
import { leftOutDocuments } from '../src/db/kyb-documents.ts'
import { type KybAdmin, kybAdmin, PDF } from './kyb-admin.ts'
import { approve, keyCaller, patch, refusal } from './start-admin.ts'

// Without a scanner; what scans do is in kyb-scans.test.ts.
let admin: KybAdmin
beforeAll(async () => {
  admin = await kybAdmin()
})
afterAll(() => admin?.stop())

const standing = async (merchantId: string) => {
  const { merchant } = await admin.merchants
    .as(adminCaller())
    .getMerchant({ id: merchantId, include_kyb_payload: false })
  return merchant!
}

describe('a business that submits itself', () => {
  test('is under review, its papers are kept as they were, and neither log nor fact holds any of them', async () => {
    const { caller, merchantId } = await admin.signUp()
    const payload = {
      rc_number: 'RC 99',
      directors: [{ name: 'Adaeze Okoro', bvn: '22212345678' }],
      unknown: [1.5, null],
    }
    const submitted = await admin.submit(caller, payload)
    expect(submitted).toMatchObject({ kyb_status: 'pending_review', business_approval_status: 'none' })
    expect(await admin.file(merchantId)).toEqual({ ...payload, documents: [] })
    const audits = await eventually(async () => {
      const found = await admin.audits(merchantId)
      expect(found.map(({ action }) => action)).toEqual(expect.arrayContaining(['kyb.submit', 'merchant.update']))
      return found
    })
    expect(audits.find(({ action }) => action === 'kyb.submit')).toMatchObject({ actor_type: 'merchant_key' })
    const { rows } = await admin.worker.query<{ payload: Buffer }>(
      'SELECT payload FROM outbox WHERE merchant_id = $1',
      [merchantId],
    )
    const told = JSON.stringify(audits) + rows.map((row) => row.payload.toString('latin1')).join('')
    for (const secret of ['Adaeze Okoro', '22212345678', 'RC 99']) expect(told).not.toContain(secret)
  })

  test('may submit again until it is verified; the newest counts', async () => {
    const { caller, merchantId } = await admin.signUp()
    await admin.submit(caller, { version: 1 })
    await admin.submit(caller, { version: 2 })
    expect(await admin.file(merchantId)).toEqual({ version: 2, documents: [] })
    await patch(admin, merchantId, { kyb_status: 'rejected' })
    expect(await admin.submit(caller, { version: 3 })).toMatchObject({ kyb_status: 'pending_review' })
    await approve(admin, merchantId)
    await expect(admin.submit(caller, { version: 4 })).rejects.toEqual(
      refusal('already_exists', { kyb_status: 'verified' }),
    )
    expect(await admin.file(merchantId)).toEqual({ version: 3, documents: [] })
    expect(await standing(merchantId)).toMatchObject({ kyb_status: 'verified', business_approval_status: 'approved' })
  })

  test('ten times at once is under review once', async () => {
    const { caller, merchantId } = await admin.signUp()
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => onceAvailable(() => admin.submit(caller, { n }))),
    )
    expect(new Set(all.map(({ kyb_status }) => kyb_status))).toEqual(new Set(['pending_review']))
    expect((await standing(merchantId)).version).toBe(2)
  })

  test('with a scope of orders alone, and in person: nobody submits for another', async () => {
    const { caller, merchantId, api_key } = await admin.signUp()
    await expect(admin.submit(keyCaller(merchantId, api_key, ['webhooks:manage']))).rejects.toEqual(
      refusal('forbidden', { required: ['orders:read', 'orders:write'] }),
    )
    const reader = keyCaller(merchantId, api_key, ['orders:read'])
    expect(await admin.submit(reader)).toMatchObject({ kyb_status: 'pending_review' })
    await expect(admin.upload(reader)).rejects.toEqual(refusal('forbidden', { required: ['orders:write'] }))
    const acting = { ...caller, actingFor: merchantId }
    for (const call of [() => admin.submit(acting), () => admin.upload(acting), () => admin.jobsOf(acting)])
      await expect(call()).rejects.toEqual(refusal('forbidden', { reason: 'acting_for_another' }))
  })
})

describe('a document', () => {
  test('is taken in as it was announced, and closed to operators while nobody has scanned it', async () => {
    const { caller, merchantId } = await admin.signUp()
    const storage_key = await admin.upload(caller)
    expect(storage_key).toMatch(new RegExp(`^kyb/${merchantId}/[0-9a-f-]{36}\\.pdf$`))
    const { document, kyb_status } = await admin.kyb.as(caller).addKybDocument({ storage_key })
    expect(kyb_status).toBe('not_submitted')
    expect(document).toMatchObject({
      storage_key,
      document_type: 'certificate_of_incorporation',
      file_name: 'certificate.pdf',
      content_type: 'application/pdf',
      size_bytes: PDF.length,
      scan_status: 'unavailable',
    })
    expect(await admin.jobsOf(caller)).toEqual([document])
    await admin.submit(caller)
    expect(await admin.file(merchantId)).toMatchObject({
      rc_number: 'RC 1',
      documents: [{ id: document!.id, scan_status: 'unavailable', url: null, expires_at: null }],
    })
  })

  test('is one once, however often and however many times at once it is added', async () => {
    const { caller } = await admin.signUp()
    const storage_key = await admin.upload(caller)
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => onceAvailable(() => admin.kyb.as(caller).addKybDocument({ storage_key }))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toEqual(refusal('already_exists', { field: 'storage_key' }))
    expect(await admin.jobsOf(caller)).toHaveLength(1)
  })

  test('of another merchant, of nobody, or that was never sent is none', async () => {
    const [one, other] = [await admin.signUp(), await admin.signUp()]
    const foreign = await admin.upload(other.caller)
    const { storage_key: unsent } = await admin.kyb.as(one.caller).presignKybUpload({
      file_name: 'a.pdf',
      content_type: 'application/pdf',
      size_bytes: 10,
      document_type: 'other',
    })
    for (const storage_key of [foreign, unsent, `kyb/${one.merchantId}/${randomUUID()}.pdf`, `../${foreign}`])
      await expect(admin.kyb.as(one.caller).addKybDocument({ storage_key })).rejects.toEqual(
        refusal('validation_error', { field: 'storage_key', rule: 'uploaded' }),
      )
    expect(await admin.jobsOf(one.caller)).toEqual([])
    expect(await admin.jobsOf(other.caller)).toEqual([])
  })

  test('is what its bytes are: a page that calls itself a PDF is refused, and so is what is said otherwise than before', async () => {
    const { caller } = await admin.signUp()
    const html = Buffer.from('<html><script>alert(1)</script>')
    await expect(
      admin.kyb.as(caller).addKybDocument({ storage_key: await admin.upload(caller, html) }),
    ).rejects.toEqual(refusal('validation_error', { field: 'storage_key' }))
    const storage_key = await admin.upload(caller)
    for (const [field, value] of [
      ['size_bytes', PDF.length + 1],
      ['content_type', 'image/png'],
      ['document_type', 'other'],
      ['file_name', 'another.pdf'],
    ] as const)
      await expect(admin.kyb.as(caller).addKybDocument({ storage_key, [field]: value })).rejects.toEqual(
        refusal('validation_error', { field, rule: 'announced' }),
      )
    const { document } = await admin.kyb
      .as(caller)
      .addKybDocument({ storage_key, document_type: 'certificate_of_incorporation' })
    expect(document!.storage_key).toBe(storage_key)
  })

  test('cannot be replaced once it is there', async () => {
    const { caller } = await admin.signUp()
    const { url, headers } = await admin.kyb.as(caller).presignKybUpload({
      file_name: 'a.pdf',
      content_type: 'application/pdf',
      size_bytes: PDF.length,
      document_type: 'other',
    })
    const put = () => fetch(url, { method: 'PUT', headers, body: new Uint8Array(PDF) }).then(({ status }) => status)
    expect([await put(), await put()]).toEqual([200, 412])
  })

  test.each([
    [{ content_type: 'text/html' }, 'content_type'],
    [{ size_bytes: 10 * 1024 * 1024 + 1 }, 'size_bytes'],
    [{ size_bytes: 0 }, 'size_bytes'],
    [{ document_type: 'selfie' }, 'document_type'],
    [{ file_name: '../../etc/passwd' }, 'file_name'],
    [{ file_name: 'a\r\nb.pdf' }, 'file_name'],
    [{ file_name: '' }, 'file_name'],
  ])('as %j is refused by the name of its field', async (announced, field) => {
    const { caller } = await admin.signUp()
    const asked = { file_name: 'a.pdf', content_type: 'application/pdf', size_bytes: 9, document_type: 'other' }
    await expect(admin.kyb.as(caller).presignKybUpload({ ...asked, ...announced })).rejects.toEqual(
      refusal('validation_error', { field }),
    )
  })

  test('has a place only while fewer than twenty are unused', async () => {
    const { caller } = await admin.signUp()
    const asked = { file_name: 'a.pdf', content_type: 'application/pdf', size_bytes: 9, document_type: 'other' }
    const tries = await Promise.allSettled(
      Array.from({ length: 24 }, () => onceAvailable(() => admin.kyb.as(caller).presignKybUpload(asked))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toEqual(refusal('limit_reached', { limit: 20 }))
  })

  test('is no document any more once it may be removed', async () => {
    const { caller, merchantId } = await admin.signUp()
    const storage_key = await admin.upload(caller)
    await admin.worker.query(
      "UPDATE kyb_documents SET created_at = created_at - interval '25 hours' WHERE merchant_id = $1",
      [merchantId],
    )
    await expect(admin.kyb.as(caller).addKybDocument({ storage_key })).rejects.toEqual(
      refusal('validation_error', { field: 'storage_key', rule: 'uploaded' }),
    )
  })

  test('that nobody used goes after a day, with its object; a document stays', async () => {
    const { caller, merchantId } = await admin.signUp()
    const unused = await admin.upload(caller)
    const document = await admin.add(caller)
    await admin.worker.query(
      "UPDATE kyb_documents SET created_at = created_at - interval '25 hours' WHERE merchant_id = $1",
      [merchantId],
    )
    await admin.forgetUploads()
    const { rows } = await admin.worker.query('SELECT storage_key FROM kyb_documents WHERE merchant_id = $1', [
      merchantId,
    ])
    expect(rows).toEqual([{ storage_key: document.storage_key }])
    await expect(admin.kyb.as(caller).addKybDocument({ storage_key: unused })).rejects.toEqual(
      refusal('validation_error', { field: 'storage_key' }),
    )
    const { requests } = await admin.control<{ requests: Array<{ method: string; path: string }> }>('requests')
    const deleted = requests.filter(({ method, path }) => method === 'DELETE' && path.includes(merchantId))
    expect(new Set(deleted.map(({ path }) => path.split('/').at(-1)))).toEqual(new Set([unused.split('/').at(-1)]))
  })
})

describe('what a business has submitted', () => {
  test('is shown to operators that may read merchants, who are on record for it, and to nobody else', async () => {
    const { caller, merchantId } = await admin.signUp()
    expect(await admin.file(merchantId)).toBeUndefined()
    await admin.submit(caller)
    const writer = adminCaller({ permissions: ['admin.merchants.write'] })
    await expect(admin.file(merchantId, writer)).rejects.toEqual(
      refusal('forbidden', { required: ['admin.merchants.read'] }),
    )
    await expect(admin.file(merchantId, systemCaller('wallet'))).rejects.toEqual(refusal('forbidden'))
    await admin.file(merchantId)
    await eventually(async () => {
      const reads = (await admin.audits(merchantId)).filter(({ action }) => action === 'kyb.read')
      expect(reads).toEqual([expect.objectContaining({ actor_type: 'admin' })])
    })
  })
})

describe('the queue of approvals', () => {
  const queue = async (status?: string) =>
    (
      await admin.kyb.as(adminCaller()).listBusinessApprovalQueue({
        limit: 500,
        offset: 0,
        ...(status && { business_approval_status: status }),
      })
    ).items.map(({ id }) => id)

  test('has verified businesses and rejected ones, what was changed longest ago first, and nothing that is decided', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await admin.signUp()).merchantId)
    const [waiting, refused, live, unverified, doubted] = ids as [string, string, string, string, string]
    await patch(admin, refused, { kyb_status: 'verified', business_approval_status: 'rejected' })
    await patch(admin, waiting, { kyb_status: 'verified' })
    await approve(admin, live)
    await patch(admin, unverified, { kyb_status: 'pending_review' })
    await patch(admin, doubted, { kyb_status: 'verified' })
    await patch(admin, doubted, { kyb_status: 'rejected' })
    const own = (list: string[]) => list.filter((id) => ids.includes(id))
    expect(own(await queue())).toEqual([refused, waiting])
    expect(own(await queue('pending'))).toEqual([waiting])
    expect(own(await queue('rejected'))).toEqual([refused])
    await patch(admin, waiting, { business_approval_status: 'approved' })
    expect(own(await queue())).toEqual([refused])
  })

  test('takes its permission and its words', async () => {
    const nobody = adminCaller({ permissions: ['admin.merchants.write'] })
    const page = { limit: 0, offset: 0 }
    await expect(admin.kyb.as(nobody).listBusinessApprovalQueue(page)).rejects.toEqual(
      refusal('forbidden', { required: ['admin.merchants.read'] }),
    )
    await expect(queue('approved')).rejects.toEqual(refusal('validation_error', { field: 'business_approval_status' }))
  })
})

test('who goes on uploading infected documents adds no more for a month', async () => {
  const { caller, merchantId } = await admin.signUp()
  await admin.worker.query(
    `INSERT INTO kyb_documents (id, merchant_id, storage_key, document_type, file_name, content_type, size_bytes, created_at,
                                added_at, scan_status, left_out_at)
     SELECT gen_random_uuid(), $1, 'kyb/' || gen_random_uuid(), 'other', 'a.pdf', 'application/pdf', 9, app_now(), app_now(),
            'infected', app_now() FROM generate_series(1, 100)`,
    [merchantId],
  )
  await expect(admin.add(caller)).rejects.toEqual(refusal('limit_reached', { limit: 100 }))
  await admin.worker.query(
    "UPDATE kyb_documents SET left_out_at = app_now() - interval '31 days' WHERE merchant_id = $1",
    [merchantId],
  )
  await sweep(admin.service.context.database.worker, [leftOutDocuments])
  await admin.add(caller)
  expect(await admin.jobsOf(caller)).toHaveLength(1)
})

test('what a business submitted is shown with every digit, its documents beside it', async () => {
  const { caller, merchantId } = await admin.signUp()
  const shown = async () =>
    (await admin.merchants.as(adminCaller()).getMerchant({ id: merchantId, include_kyb_payload: true }))
      .kyb_payload_json
  const papers = '{"account": 12345678901234567890, "of": {"id": 9007199254740993}}'
  await admin.kyb.as(caller).submitKyb({ payload_json: papers })
  expect(await shown()).toBe(`${papers.slice(0, -1)},"documents":[]}`)
  await admin.kyb.as(caller).submitKyb({ payload_json: '{ }' })
  expect(JSON.parse((await shown())!)).toEqual({ documents: [] })
})

describe('what the payment provider finds of a business', () => {
  const record = (merchantId: string, succeeded: boolean, occurredAt: Date, more: object = {}) =>
    admin.kyb.as(systemCaller('wallet')).recordIdentification({
      merchant_id: merchantId,
      succeeded,
      occurred_at: occurredAt.toISOString(),
      ...more,
    })
  const soon = () => new Date(Date.now() + 60_000)

  test('verifies it once, puts it up for approval, and undoes no decision', async () => {
    const { caller, merchantId } = await admin.signUp()
    expect(await record(merchantId, true, soon())).toEqual({ outcome: 'not_pending', kyb_status: 'not_submitted' })
    await admin.submit(caller)
    expect(await record(merchantId, true, soon(), { reference: 'CUS_1' })).toEqual({
      outcome: 'recorded',
      kyb_status: 'verified',
    })
    expect(await standing(merchantId)).toMatchObject({ business_approval_status: 'pending', kyb_reference: 'CUS_1' })
    for (const succeeded of [true, false])
      expect(await record(merchantId, succeeded, soon())).toEqual({ outcome: 'not_pending', kyb_status: 'verified' })
    await eventually(async () => {
      const verified = (await admin.audits(merchantId)).filter(({ after }) => after?.includes('verified'))
      expect(verified).toEqual([expect.objectContaining({ action: 'merchant.update', actor_type: 'system' })])
    })
  })

  test('rejects it with the reason, and a late word on what it submitted before rejects nothing', async () => {
    const { caller, merchantId } = await admin.signUp()
    const { submitted_at } = await admin.submit(caller)
    const reason = 'Account number does not match the name'
    expect(await record(merchantId, false, soon(), { reason })).toMatchObject({ outcome: 'recorded' })
    expect(await standing(merchantId)).toMatchObject({ kyb_status: 'rejected', kyb_notes: reason })
    await admin.submit(caller)
    const before = new Date(Date.parse(submitted_at!) - 1)
    expect(await record(merchantId, false, before)).toEqual({
      outcome: 'of_an_earlier_submission',
      kyb_status: 'pending_review',
    })
  })

  test('brings no business back to live keys that lost its verification: it waits for a new approval', async () => {
    const { caller, merchantId } = await admin.signUp()
    await approve(admin, merchantId)
    await patch(admin, merchantId, { kyb_status: 'rejected' })
    await admin.submit(caller)
    expect(await record(merchantId, true, soon())).toEqual({ outcome: 'recorded', kyb_status: 'verified' })
    expect(await standing(merchantId)).toMatchObject({ kyb_status: 'verified', business_approval_status: 'pending' })
    await approve(admin, merchantId)
    expect(await standing(merchantId)).toMatchObject({ business_approval_status: 'approved' })
  })

  test('before it has ever submitted counts for its first submission, and for no later one', async () => {
    const { caller, merchantId } = await admin.signUp()
    const early = new Date(Date.now() - 60_000)
    expect(await record(merchantId, true, early)).toEqual({ outcome: 'not_pending', kyb_status: 'not_submitted' })
    await admin.submit(caller)
    await admin.submit(caller)
    expect(await record(merchantId, true, early)).toMatchObject({ outcome: 'of_an_earlier_submission' })
    const other = await admin.signUp()
    await admin.submit(other.caller)
    expect(await record(other.merchantId, true, early)).toMatchObject({ outcome: 'recorded', kyb_status: 'verified' })
  })

  test('is about the business that operators know by its name there, if that is one, and never about an address alone', async () => {
    const [one, other] = [await admin.signUp(), await admin.signUp()]
    const reference = `CUS_${randomUUID()}`
    const found = (more: object) => record('', true, soon(), { reference, ...more })
    for (const { caller } of [one, other]) await admin.submit(caller)
    expect(await found({ addressed_merchant_id: one.merchantId })).toEqual({
      outcome: 'unknown_business',
      kyb_status: '',
    })
    await patch(admin, one.merchantId, { kyb_reference: reference })
    expect(await found({ addressed_merchant_id: other.merchantId })).toMatchObject({ outcome: 'tenant_mismatch' })
    expect(await found({ merchant_id: other.merchantId })).toMatchObject({ outcome: 'tenant_mismatch' })
    await patch(admin, other.merchantId, { kyb_reference: reference })
    expect(await found({})).toMatchObject({ outcome: 'tenant_mismatch' })
    await patch(admin, other.merchantId, { kyb_reference: 'another' })
    expect(await found({ addressed_merchant_id: one.merchantId })).toMatchObject({ outcome: 'recorded' })
    expect(await standing(other.merchantId)).toMatchObject({ kyb_status: 'pending_review' })
  })

  test('is taken from the wallet alone', async () => {
    const { merchantId, caller } = await admin.signUp()
    const call = { merchant_id: merchantId, succeeded: true, occurred_at: soon().toISOString() }
    for (const stranger of [caller, adminCaller(), systemCaller('dispatch')])
      await expect(admin.kyb.as(stranger).recordIdentification(call)).rejects.toEqual(refusal('forbidden'))
  })
})

test('the owner gets one mail for each decision, and none of it holds what was submitted', async () => {
  const { caller, merchantId, email } = await admin.signUp()
  await admin.submit(caller, { secret: 'the number of a passport' })
  await patch(admin, merchantId, { kyb_status: 'rejected', kyb_notes: 'a note of the operator' })
  await admin.submit(caller)
  await patch(admin, merchantId, { kyb_status: 'verified' })
  await patch(admin, merchantId, { kyb_status: 'verified', kyb_notes: null })
  await patch(admin, merchantId, { business_approval_status: 'rejected' })
  await patch(admin, merchantId, { business_approval_status: 'approved' })
  const mails = await eventually(async () => {
    const sent = (await admin.mailsTo(email)).filter(({ template }) => template?.startsWith('kyb_'))
    expect(sent.map(({ template }) => String(template)).toSorted()).toEqual([
      'kyb_approval_rejected',
      'kyb_approved',
      'kyb_rejected',
      'kyb_verified',
    ])
    return sent
  })
  for (const { text } of mails) expect(text).not.toMatch(/passport|a note of/)
})
