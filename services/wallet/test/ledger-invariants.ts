import { expect } from '@jest/globals'
import { type Sql, violations } from './ledger-violations.ts'

/** Fails, naming every invariant that does not hold. */
export async function expectLedgerHolds(sql: Sql, merchantIds: string[] | null = null): Promise<void> {
  expect(await violations(sql, merchantIds)).toEqual({})
}
