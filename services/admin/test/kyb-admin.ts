import { expect } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually } from '@svc/testing'
import { forgetKybUploads } from '../src/use-cases/kyb/forget-kyb-uploads.ts'
import { mailingAdmin } from './mailing-admin.ts'
import { signUp } from './start-admin.ts'

/** What could not be scanned is tried again after a minute at the latest. */
const PATIENCE = { timeoutMs: 150_000, intervalMs: 100 }

export const PDF = Buffer.from('%PDF-1.7\nthe certificate of a business\n')

/** The admin service beside the doubles of its store and of its mail provider, and what merchants do with documents. */
export async function kybAdmin(settings: Record<string, string> = {}) {
  const admin = await mailingAdmin(settings)

  async function upload(caller: Caller, bytes: Buffer = PDF, announced: object = {}) {
    const asked = {
      file_name: 'certificate.pdf',
      content_type: 'application/pdf',
      size_bytes: bytes.length,
      document_type: 'certificate_of_incorporation',
      ...announced,
    }
    const { url, headers, storage_key } = await admin.kyb.as(caller).presignKybUpload(asked)
    const put = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })
    expect(put.status).toBe(200)
    return storage_key
  }

  async function add(caller: Caller, bytes: Buffer = PDF) {
    const { document } = await admin.kyb.as(caller).addKybDocument({ storage_key: await upload(caller, bytes) })
    return document!
  }

  const jobsOf = async (caller: Caller) => (await admin.kyb.as(caller).listKybScanJobs({ limit: 0, offset: 0 })).items

  async function file(merchantId: string, caller: Caller = adminCaller()) {
    const got = await admin.merchants.as(caller).getMerchant({ id: merchantId, include_kyb_payload: true })
    return got.kyb_payload_json === undefined ? undefined : JSON.parse(got.kyb_payload_json)
  }

  return {
    ...admin,
    upload,
    add,
    jobsOf,
    file,
    submit: (caller: Caller, payload: object = { rc_number: 'RC 1' }) =>
      admin.kyb.as(caller).submitKyb({ payload_json: JSON.stringify(payload) }),
    /** A round of the chore that removes what nobody used. */
    forgetUploads: () => forgetKybUploads(admin.service.context, new AbortController().signal),
    /** A merchant that has just signed up. */
    signUp: () => signUp(admin),
    scanned: (caller: Caller, id: string, status: string) =>
      eventually(async () => {
        const job = (await jobsOf(caller)).find((one) => one.id === id)
        expect(job?.scan_status).toBe(status)
        return job!
      }, PATIENCE),
    /** Makes a scan that is over one that is due, with its document as a process left it. */
    async scanAgain(id: string, status: 'pending' | 'scanning') {
      // The worker that scanned it may not have written that down yet.
      await eventually(async () => {
        const { rows } = await admin.worker.query('SELECT state FROM intent WHERE subject_id = $1', [id])
        expect(rows).toEqual([{ state: 'applied' }])
      })
      await admin.worker.query('UPDATE kyb_documents SET scan_status = $2, scanned_at = NULL WHERE id = $1', [
        id,
        status,
      ])
      await admin.worker.query("UPDATE intent SET state = 'pending', next_at = app_now() WHERE subject_id = $1", [id])
    },
    /** Actions on record for the merchant, oldest first, with what they say after it. */
    audits: async (merchantId: string) => {
      const { rows } = await admin.worker.query<{ action: string; actor_type: string; after: string }>(
        'SELECT action, actor_type, after_json::text AS after FROM audit_log WHERE merchant_id = $1 ORDER BY seq',
        [merchantId],
      )
      return rows
    },
  }
}

export type KybAdmin = Awaited<ReturnType<typeof kybAdmin>>
