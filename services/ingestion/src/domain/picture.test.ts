import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { pictureFault } from './picture.ts'

const MAX = 1_000_000

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
}

function png(width: number, height: number, end = chunk('IEND', Buffer.alloc(0))): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', Buffer.alloc(40)), end])
}

function jpeg(width: number, height: number, end = Buffer.from([0xff, 0xd9])): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 0, 0, 0])
  // A thumbnail with an end of its own.
  const thumbnail = Buffer.from([0xff, 0xe1, 0, 6, 0xff, 0xd9, 0, 0])
  const scan = Buffer.from([0xff, 0xda, 0, 4, 0, 0, 1, 2, 3])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), thumbnail, frame, scan, end])
}

function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(32, 4)
  bytes.write('WEBPVP8X', 8, 'latin1')
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return bytes
}

const MAKERS = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp }

test.each(Object.entries(MAKERS))(
  '%s of a size that may be unpacked is given to the engine, a larger one is not',
  (type, make) => {
    expect(pictureFault(type, make(1_000, 1_000), MAX)).toBeNull()
    expect(pictureFault(type, make(1_001, 1_000), MAX)).toBe('image_too_large')
    expect(pictureFault(type, make(65_535, 65_535), MAX)).toBe('image_too_large')
  },
)

test('a picture without an end, or without a size, is not given to the engine', () => {
  expect(pictureFault('image/png', png(10, 10, Buffer.alloc(0)), MAX)).toBe('image_truncated')
  expect(pictureFault('image/jpeg', jpeg(10, 10, Buffer.alloc(0)), MAX)).toBe('image_truncated')
  expect(pictureFault('image/webp', webp(10, 10).subarray(0, 36), MAX)).toBe('image_truncated')
  expect(pictureFault('image/png', png(0, 10), MAX)).toBe('not_an_image')
})

test('what is no picture of its type is none, whatever its bytes are', () => {
  for (const type of Object.keys(MAKERS))
    expect(pictureFault(type, Buffer.from('<svg onload=1>'), MAX)).toBe('not_an_image')
  expect(pictureFault('image/gif', png(10, 10), MAX)).toBe('not_an_image')
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(MAKERS)), fc.uint8Array({ maxLength: 200 }), (type, tail) => {
      for (const start of [png(10, 10), jpeg(10, 10), webp(10, 10)])
        for (const cut of [0, 4, 12, 20, start.length])
          expect(pictureFault(type, Buffer.concat([start.subarray(0, cut), tail]), MAX) ?? 'none').toMatch(/^[a-z_]+$/)
    }),
  )
})
