import { expect, test } from '@jest/globals'
import { csvRows } from './shipment-csv.ts'

test('a file is read piece by piece, even one of a single row, and others have their turn between them', async () => {
  let turns = 0
  let next: NodeJS.Immediate
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  turn()
  const rows: unknown[] = []
  const file = `recipient_name,recipient_phone,dropoff_address\nAda,0803,${'x'.repeat(2 * 1024 * 1024)}\n`
  for await (const row of csvRows(Buffer.from(file))) rows.push(row)
  clearImmediate(next!)
  expect(rows).toHaveLength(1)
  expect(turns).toBeGreaterThan(20)
})
