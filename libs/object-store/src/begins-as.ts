const JPEG = [0xff, 0xd8, 0xff]
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Whether a file that begins so is what its type says: a browser goes by the bytes. Of other types none is. */
export function beginsAs(type: string, beginning: Uint8Array): boolean {
  const has = (bytes: readonly number[], from = 0) => bytes.every((byte, index) => beginning[from + index] === byte)
  switch (type) {
    case 'application/pdf':
      return has([...Buffer.from('%PDF-')])
    case 'image/jpeg':
      return has(JPEG)
    case 'image/png':
      return has(PNG)
    case 'image/webp':
      return has([...Buffer.from('RIFF')]) && has([...Buffer.from('WEBP')], 8)
    default:
      return false
  }
}
