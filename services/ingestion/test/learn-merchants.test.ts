import { expect, test } from '@jest/globals'
import { eventually, TEST_SECRET } from '@svc/testing'
import { signUp, startAdmin } from '../../admin/test/start-admin.ts'
import { chargeBody, startIngestion } from './start-ingestion.ts'

test('a merchant that is older than the topic of its facts is known to a service that starts today, and asked for once', async () => {
  const admin = await startAdmin({ CALLER_SECRET_INGESTION_ADMIN: TEST_SECRET })
  const { merchantId } = await signUp(admin)
  // Its own prefix: a topic on which nothing was ever announced.
  const ingestion = await startIngestion({
    ADMIN_GRPC_ADDRESS: admin.service.address(),
    CALLER_SECRET_INGESTION_ADMIN: TEST_SECRET,
  })
  try {
    await eventually(() => ingestion.send({ body: chargeBody(), merchantId }))
    const state = () =>
      ingestion.sql<{ after: string; done: boolean }>(
        'SELECT after, done_at IS NOT NULL AS done FROM merchants_learned',
      )
    await eventually(async () => expect(await state()).toEqual([{ after: merchantId, done: true }]))
    const facts = await ingestion.knownMerchant()
    expect(await ingestion.send({ body: chargeBody(), merchantId: facts })).toMatchObject({ status: 'accepted' })
  } finally {
    await ingestion.stop()
    await admin.stop()
  }
})
