import { expect, test } from '@jest/globals'
import { auditOf } from './audit-of.ts'

test('an act by a token that a merchant’s key has minted is on record as on behalf of that key', () => {
  const actor = { type: 'rider', id: 'r' }
  const act = { action: 'a', resourceType: 'rider', resourceId: 'r' }
  const payload = (by: Parameters<typeof auditOf>[0]) => auditOf(by, act).payload
  expect(payload({ actor, mintedBy: { credential: 'key:k' } })).toMatchObject({ actor_id: 'r', on_behalf_of: 'key:k' })
  expect(payload({ actor }).on_behalf_of).toBeUndefined()
})
