import { expect, test } from '@jest/globals'
import { beginsAs } from './begins-as.ts'

const BEGINNINGS: Record<string, Buffer> = {
  'application/pdf': Buffer.from('%PDF-1.7\n%aaaa'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
  'image/webp': Buffer.from('RIFF\0\0\0\0WEBPVP8 '),
}
const types = [...Object.keys(BEGINNINGS), 'text/html', '']

test.each(types)('a file counts as %s by its bytes alone, and by too few of them never', (type) => {
  for (const [of, beginning] of Object.entries(BEGINNINGS)) expect(beginsAs(type, beginning)).toBe(of === type)
  expect(beginsAs(type, Buffer.from('<html><script>'))).toBe(false)
  expect(beginsAs(type, Buffer.alloc(0))).toBe(false)
})
