import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NormalizationServiceService } from '@svc/contracts/ingestion/v1/normalization_service'
import { adminCaller, eventually, merchantCaller, testClient } from '@svc/testing'
import { EMAIL_SECRET, mailNotice, sendMail } from './email.ts'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
let normalization: ReturnType<typeof testClient<typeof NormalizationServiceService>>
beforeAll(async () => {
  ingestion = await startIngestion({ EMAIL_INBOUND_SECRET: EMAIL_SECRET })
  normalization = testClient(NormalizationServiceService, { address: ingestion.service.address(), to: 'ingestion' })
})
afterAll(async () => {
  normalization.close()
  await ingestion.stop()
})

const page = { limit: 0, offset: 0 }
const jobsOf = async (merchantId: string) =>
  (await normalization.as(adminCaller()).listAttachmentOcrJobs({ ...page, merchant_id: merchantId })).items

const pdf = { id: 'att-1', filename: 'order.pdf', content_type: 'application/pdf' }
const photo = { id: 'att-2', filename: 'slip.PNG', content_type: 'IMAGE/PNG; name=slip.PNG' }

test('each attachment that can be read has a job, and without a provider to fetch it from that job says so', async () => {
  const merchantId = await ingestion.knownMerchant()
  const others = [
    { id: 'att-3', filename: 'run.exe', content_type: 'application/pdf' },
    { id: 'att-4', filename: 'a.zip', content_type: 'application/zip' },
    { filename: 'nameless.pdf', content_type: 'application/pdf' },
  ]
  const { id } = await sendMail(ingestion, mailNotice(merchantId, { attachments: [pdf, photo, ...others] }))
  await eventually(async () => (await ingestion.stateOf(id!)) === 'dead')
  const jobs = await jobsOf(merchantId)
  expect(jobs).toHaveLength(2)
  const common = { hook_id: id, channel: 'email-a', merchant_id: merchantId, attempts: 0, status: 'unavailable' }
  expect(jobs).toContainEqual(
    expect.objectContaining({ ...common, error: 'mail_not_configured', content_type: 'application/pdf' }),
  )
  expect(jobs).toContainEqual(expect.objectContaining({ ...common, file_name: 'slip.PNG', content_type: 'image/png' }))
})

test('a mail that comes twice has the jobs of one, and so has one whose normalization is begun anew', async () => {
  const merchantId = await ingestion.knownMerchant()
  const body = mailNotice(merchantId, { attachments: [pdf] })
  const { id } = await sendMail(ingestion, body)
  await eventually(async () => (await ingestion.stateOf(id!)) === 'dead')
  expect(await sendMail(ingestion, body)).toMatchObject({ status: 'duplicate' })
  await normalization.as(adminCaller()).retryNormalizationJob({ id: id! })
  await eventually(async () => {
    const [job] = await ingestion.sql<{ attempts: number }>(
      `SELECT h.attempts FROM inbound_hooks h WHERE id = $1 AND state = 'dead'`,
      [id],
    )
    return job?.attempts === 2
  })
  expect(await jobsOf(merchantId)).toHaveLength(1)
})

test('operators alone see jobs, those of one merchant where they name it', async () => {
  const owner = normalization.as(merchantCaller({ merchantId: randomUUID(), isTest: false }))
  await expect(owner.listAttachmentOcrJobs(page)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await jobsOf(randomUUID())).toEqual([])
})
