import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { TEST_SECRET } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from '../../dispatch/test/dispatch-mesh.ts'
import { insertRider } from '../../dispatch/test/riders-fixture.ts'
import { payee, rider, startPayouts, type TestPayouts } from './start-payouts.ts'

let dispatch: DispatchMesh
let payouts: TestPayouts
beforeAll(async () => {
  dispatch = await dispatchMesh({ CALLER_SECRET_WALLET_DISPATCH: TEST_SECRET })
  payouts = await startPayouts({
    RIDER_WITHDRAWALS_REQUIRE_KYC: 'true',
    PAYOUT_FREEZE_HOURS: '0',
    DISPATCH_GRPC_ADDRESS: dispatch.service.address(),
    CALLER_SECRET_WALLET_DISPATCH: TEST_SECRET,
  })
})
afterAll(async () => {
  await payouts.stop()
  await dispatch.stop()
})

const request = async (riderId: string) => {
  const caller = await payee(payouts, rider(riderId), 500_000)
  return payouts.as(caller).requestWithdrawal({ amount_minor: 200_000 })
}

test.each(['pending', 'rejected'])('a rider who is %s withdraws nothing', async (kycStatus) => {
  const refusal = { code: 'kyc_not_approved', details: { kyc_status: kycStatus } }
  await expect(request(await insertRider(dispatch, { kycStatus }))).rejects.toMatchObject(refusal)
})

test('a rider whom an operator has approved withdraws', async () => {
  expect(await request(await insertRider(dispatch))).toMatchObject({ withdrawal: { status: 'pending_review' } })
})

test('a rider of whom dispatch knows nothing withdraws nothing', async () => {
  await expect(request(randomUUID())).rejects.toMatchObject({ code: expect.stringMatching(/not_found|unauthorized/) })
})
