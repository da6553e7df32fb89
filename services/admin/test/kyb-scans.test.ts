import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually } from '@svc/testing'
import { createClamd, TEST_VIRUS } from '../../../deploy/local/src/providers/clamd/clamd.ts'
import { admin as adminDefinition } from '../src/service.ts'
import { type KybAdmin, kybAdmin, PDF } from './kyb-admin.ts'
import { approve, patch, refusal } from './start-admin.ts'

const INFECTED = Buffer.from(`%PDF-1.7\n${TEST_VIRUS}\n`)

let clamd: ReturnType<typeof createClamd>
let admin: KybAdmin
beforeAll(async () => {
  clamd = createClamd()
  await clamd.start()
  admin = await kybAdmin({ CLAMD_ADDRESS: clamd.address() })
})
afterAll(async () => {
  await admin?.stop()
  await clamd?.stop()
})

describe('a scanned document', () => {
  test('that is clean can be opened by operators for a while, byte for byte, and the scan is on record', async () => {
    const { caller, merchantId } = await admin.signUp()
    const { id } = await admin.add(caller)
    const job = await admin.scanned(caller, id, 'clean')
    expect(job).toMatchObject({ scanned_at: expect.any(String) })
    expect(job.scan_detail).toBeUndefined()
    const { documents } = (await admin.file(merchantId))!
    expect(documents).toEqual([expect.objectContaining({ id, scan_status: 'clean', expires_at: expect.any(String) })])
    expect(new URL(documents[0].url).searchParams.get('response-content-disposition')).toBe(
      "attachment; filename*=UTF-8''certificate.pdf",
    )
    const opened = await fetch(documents[0].url)
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(PDF)
    await eventually(async () => {
      const scans = (await admin.audits(merchantId)).filter(({ action }) => action === 'kyb.document_scan')
      expect(scans).toEqual([
        expect.objectContaining({ actor_type: 'system', after: expect.stringContaining('clean') }),
      ])
    })
  })

  test('that is infected is gone from the store, opened by nobody, and stands in the way until the business submits again', async () => {
    const { caller, merchantId } = await admin.signUp()
    await admin.submit(caller)
    const { id, storage_key } = await admin.add(caller, INFECTED)
    const job = await admin.scanned(caller, id, 'infected')
    expect(job.scan_detail).toBe('Eicar-Test-Signature')
    expect((await admin.file(merchantId))!.documents).toEqual([
      expect.objectContaining({ id, scan_status: 'infected', url: null, expires_at: null }),
    ])
    await eventually(async () => expect(await admin.service.context.objectStore!.look(storage_key)).toBeNull())
    for (const fields of [{ kyb_status: 'verified' }, { kyb_status: 'verified', business_approval_status: 'approved' }])
      await expect(patch(admin, merchantId, fields)).rejects.toEqual(
        refusal('invalid_transition', { field: 'kyb_status', reason: 'infected_document', documents: [id] }),
      )
    await admin.submit(caller)
    expect((await admin.file(merchantId))!.documents).toEqual([])
    expect(await admin.jobsOf(caller)).toEqual([expect.objectContaining({ id, scan_status: 'infected' })])
    expect((await approve(admin, merchantId)).merchant).toMatchObject({ business_approval_status: 'approved' })
  })

  test('that is found infected between verification and approval keeps the business from being approved', async () => {
    const { caller, merchantId } = await admin.signUp()
    await patch(admin, merchantId, { kyb_status: 'verified' })
    const { id } = await admin.add(caller, INFECTED)
    await admin.scanned(caller, id, 'infected')
    await expect(patch(admin, merchantId, { business_approval_status: 'approved' })).rejects.toEqual(
      refusal('invalid_transition', { reason: 'infected_document' }),
    )
    await patch(admin, merchantId, { kyb_status: 'rejected', kyb_notes: 'infected' })
    await admin.submit(caller)
    await approve(admin, merchantId)
  })

  test('whose scan a dead process had begun is scanned by the next', async () => {
    const { caller } = await admin.signUp()
    const { id } = await admin.add(caller)
    await admin.scanned(caller, id, 'clean')
    // As it stands when a process dies between its claim and the verdict, and its lease is over.
    await admin.scanAgain(id, 'scanning')
    await admin.scanned(caller, id, 'clean')
  })

  test('whose object is gone has failed, and is not clean', async () => {
    const { caller } = await admin.signUp()
    const storage_key = await admin.upload(caller)
    await admin.service.context.objectStore!.remove(storage_key)
    await expect(admin.kyb.as(caller).addKybDocument({ storage_key })).rejects.toEqual(
      refusal('validation_error', { field: 'storage_key' }),
    )
    const { id } = await admin.add(caller)
    await admin.scanned(caller, id, 'clean')
    const [job] = await admin.jobsOf(caller)
    await admin.service.context.objectStore!.remove(job!.storage_key)
    await admin.scanAgain(id, 'pending')
    expect(await admin.scanned(caller, id, 'failed')).toMatchObject({ scan_detail: 'object_missing' })
  })
})

describe('while the scanner is away', () => {
  test('a document waits, closed, and is scanned when it is back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clamd-'))
    const late = createClamd({ path: join(folder, 'clamd.ctl') })
    const away = await kybAdmin({ CLAMD_ADDRESS: late.address() })
    try {
      const { caller, merchantId } = await away.signUp()
      const { id } = await away.add(caller)
      await eventually(async () => {
        const { rows } = await away.worker.query('SELECT tries FROM intent WHERE subject_id = $1', [id])
        expect(rows[0].tries).toBeGreaterThan(1)
      })
      expect((await away.file(merchantId))!.documents).toEqual([expect.objectContaining({ id, url: null })])
      await late.start()
      await away.scanned(caller, id, 'clean')
    } finally {
      await away.stop()
      await late.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('which counts for nothing, and one that answers without a verdict is asked five times', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clamd-'))
    const path = join(folder, 'clamd.ctl')
    let refusals = 1
    let asked = 0
    const grumpy = createServer((socket) => {
      let received = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        received = Buffer.concat([received, bytes])
        // The piece of length 0 that ends a file.
        if (received.length < 14 || received.readUInt32BE(received.length - 4) !== 0) return
        asked += 1
        socket.end(asked <= refusals ? "INSTREAM: Can't allocate memory ERROR\0" : 'stream: OK\0')
      })
    })
    const away = await kybAdmin({ CLAMD_ADDRESS: path })
    const becomes = (id: string, caller: Caller, status: string) =>
      eventually(async () => {
        await away.worker.query("UPDATE intent SET next_at = app_now() WHERE subject_id = $1 AND state = 'pending'", [
          id,
        ])
        const [job] = await away.jobsOf(caller)
        expect(job).toMatchObject({ id, scan_status: status })
      })
    try {
      const { caller } = await away.signUp()
      const { id } = await away.add(caller)
      // Long away: tried far oftener than a scanner that answers would be.
      await away.worker.query('UPDATE intent SET tries = 40 WHERE subject_id = $1', [id])
      grumpy.listen(path)
      await once(grumpy, 'listening')
      await becomes(id, caller, 'clean')
      expect(asked).toBe(2)

      refusals = Number.POSITIVE_INFINITY
      const other = await away.signUp()
      const hopeless = await away.add(other.caller)
      await becomes(hopeless.id, other.caller, 'failed')
      expect(asked).toBe(7)
    } finally {
      await away.stop()
      grumpy.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('because nobody has set one up, documents are unavailable, never clean, until somebody does', async () => {
    const without = await kybAdmin()
    try {
      const { caller, merchantId } = await without.signUp()
      const { id } = await without.add(caller)
      await without.scanned(caller, id, 'unavailable')
      // Papers also arrive outside the product: an operator may decide.
      await patch(without, merchantId, { kyb_status: 'verified' })
      const replica = await adminDefinition.create(
        adminDefinition.config({ ...without.env, CLAMD_ADDRESS: clamd.address() }),
      )
      await replica.start()
      try {
        await without.scanned(caller, id, 'clean')
        await without.file(merchantId, adminCaller())
      } finally {
        await replica.stop()
      }
    } finally {
      await without.stop()
    }
  })
})
