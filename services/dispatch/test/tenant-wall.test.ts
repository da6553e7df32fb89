import { expect, test } from '@jest/globals'
import { tenantWall } from '@svc/testing'
import { extensions, migrations } from '../src/db/migrations/index.ts'

test('a tenant reaches its own rows, and no table that is not for tenants', async () => {
  expect(await tenantWall('dispatch', migrations, extensions)).toEqual([])
})
