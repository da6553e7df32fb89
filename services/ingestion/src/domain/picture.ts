/** Why no engine is given a picture; null where it may be. */
type PictureFault = 'not_an_image' | 'image_too_large' | 'image_truncated' | null

interface Size {
  width: number
  height: number
}

/** What is known of a picture without unpacking it: that it says how large it is, that this is not too large, and that its end is there. */
export function pictureFault(type: string, bytes: Buffer, maxPixels: number): PictureFault {
  const read = READERS[type]?.(bytes)
  if (!read) return 'not_an_image'
  const { width, height, isWhole } = read
  if (width === 0 || height === 0) return 'not_an_image'
  if (width * height > maxPixels) return 'image_too_large'
  return isWhole ? null : 'image_truncated'
}

type Reader = (bytes: Buffer) => (Size & { isWhole: boolean }) | null

const READERS: Readonly<Record<string, Reader>> = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp }

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Length, name and checksum of a chunk. */
const CHUNK = 12

function png(bytes: Buffer): ReturnType<Reader> {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  let at = 8
  while (at + CHUNK <= bytes.length) {
    const end = at + CHUNK + bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return { ...size, isWhole: end <= bytes.length }
    at = end
  }
  return { ...size, isWhole: false }
}

/** Frames have their size in a segment of these kinds. */
const isFrame = (kind: number): boolean => kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)
const SCAN = 0xda
const END = Buffer.from([0xff, 0xd9])

function jpeg(bytes: Buffer): ReturnType<Reader> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let size: Size | null = null
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const kind = bytes[at + 1]!
    if (kind === 0xff) {
      at += 1
      continue
    }
    if (isFrame(kind) && at + 9 <= bytes.length)
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Pictures within a picture end before its own scan begins.
    if (kind === SCAN) return size && { ...size, isWhole: bytes.lastIndexOf(END) > at }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return size && { ...size, isWhole: false }
}

function webp(bytes: Buffer): ReturnType<Reader> {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const size = webpSize(bytes)
  return size && { ...size, isWhole: 8 + bytes.readUInt32LE(4) <= bytes.length }
}

function webpSize(bytes: Buffer): Size | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
