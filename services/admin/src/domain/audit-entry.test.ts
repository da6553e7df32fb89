import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AuditEntry, CHAIN_START, chainHash } from './audit-entry.ts'

const [key, ...otherKeys] = [1, 2].map((byte) => ({ id: `k${byte}`, key: Buffer.alloc(32, byte) }))
const others = [null, ...otherKeys, { ...key!, id: 'renamed' }]

const text = fc.option(fc.string(), { nil: null })
const entry = fc.record<AuditEntry>({
  event_id: fc.uuid(),
  at: fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
  actor_type: fc.string(),
  actor_id: fc.string(),
  on_behalf_of: text,
  merchant_id: text,
  action: fc.string(),
  resource_type: fc.string(),
  resource_id: fc.string(),
  ip: text,
  request_id: text,
  trace_id: text,
  before_json: text,
  after_json: text,
})

test('any change of any value, of the place, the key or what came before changes the hash', () => {
  fc.assert(
    fc.property(entry, fc.constantFrom(...FIELDS), fc.string(), (one, field, value) => {
      const hash = chainHash(CHAIN_START, 1, one, key!)
      expect(chainHash(CHAIN_START, 1, { ...one }, key!).equals(hash)).toBe(true)
      expect(chainHash(CHAIN_START, 2, one, key!).equals(hash)).toBe(false)
      expect(chainHash(hash, 1, one, key!).equals(hash)).toBe(false)
      for (const other of others) expect(chainHash(CHAIN_START, 1, one, other).equals(hash)).toBe(false)
      if (one[field] !== value)
        expect(chainHash(CHAIN_START, 1, { ...one, [field]: value }, key!).equals(hash)).toBe(false)
    }),
  )
})

const FIELDS = ['event_id', 'at', 'actor_id', 'action', 'resource_id', 'ip', 'before_json', 'after_json'] as const
