import { expect, test } from '@jest/globals'
import { systemBy } from '@svc/grpc'
import type { Config } from '../config.ts'
import { connectDispatch } from './dispatch.ts'

test('where no dispatch is wanted, an assignment that was kept stays open, and no new one is promised', async () => {
  const none = connectDispatch({ dispatchGrpcAddress: undefined } as Config)
  await expect(none.assign(systemBy('order').caller, 'order', 'rider')).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  await expect(none.checkAssignable(systemBy('order'), 'rider')).rejects.toMatchObject({ code: 'not_found' })
})
