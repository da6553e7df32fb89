import { crc32, deflateSync } from 'node:zlib'

/** Seven rows of five dots. */
const FONT: Readonly<Record<string, string>> = {
  A: '01110 10001 10001 11111 10001 10001 10001',
  D: '11110 10001 10001 10001 10001 10001 11110',
  E: '11111 10000 10000 11110 10000 10000 11111',
  H: '10001 10001 10001 11111 10001 10001 10001',
  I: '01110 00100 00100 00100 00100 00100 01110',
  K: '10001 10010 10100 11000 10100 10010 10001',
  L: '10000 10000 10000 10000 10000 10000 11111',
  M: '10001 11011 10101 10101 10001 10001 10001',
  N: '10001 11001 10101 10011 10001 10001 10001',
  O: '01110 10001 10001 10001 10001 10001 01110',
  P: '11110 10001 10001 11110 10000 10000 10000',
  R: '11110 10001 10001 11110 10100 10010 10001',
  S: '01111 10000 10000 01110 00001 00001 11110',
  T: '11111 00100 00100 00100 00100 00100 00100',
  1: '00100 01100 00100 00100 00100 00100 01110',
  2: '01110 10001 00001 00110 01000 10000 11111',
  3: '11111 00010 00100 00010 00001 10001 01110',
  4: '00010 00110 01010 10010 11111 00010 00010',
  5: '11111 10000 11110 00001 00001 10001 01110',
  6: '00110 01000 10000 11110 10001 10001 01110',
  7: '11111 00001 00010 00100 01000 01000 01000',
  8: '01110 10001 10001 01110 10001 10001 01110',
  ':': '00000 01100 01100 00000 01100 01100 00000',
  '+': '00000 00100 00100 11111 00100 00100 00000',
}
const BLANK = '00000 00000 00000 00000 00000 00000 00000'
const SCALE = 6
const MARGIN = 4

/** A PNG that shows these lines, black on white, as a scanner would. */
export function pictureOf(lines: readonly string[]): Buffer {
  const columns = Math.max(...lines.map((line) => line.length)) * 6 + 2 * MARGIN
  const rows = lines.length * 12 + 2 * MARGIN
  const dots = Array.from({ length: rows }, () => new Uint8Array(columns))
  for (const [row, line] of lines.entries())
    for (const [column, letter] of line.split('').entries())
      for (const [y, bits] of (FONT[letter] ?? BLANK).split(' ').entries())
        for (const [x, bit] of bits.split('').entries())
          if (bit === '1') dots[MARGIN + row * 12 + y]![MARGIN + column * 6 + x] = 1
  const dot = (x: number, y: number): number => dots[y]?.[x] ?? 0
  const [width, height] = [columns * SCALE, rows * SCALE]
  const pixels = Buffer.alloc((width + 1) * height, 255)
  for (let y = 0; y < height; y += 1) {
    pixels[y * (width + 1)] = 0
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [(x + 0.5) / SCALE - 0.5, (y + 0.5) / SCALE - 0.5]
      const [left, top] = [Math.floor(across), Math.floor(down)]
      const [ax, ay] = [across - left, down - top]
      const above = dot(left, top) * (1 - ax) + dot(left + 1, top) * ax
      const below = dot(left, top + 1) * (1 - ax) + dot(left + 1, top + 1) * ax
      if (above * (1 - ay) + below * ay > 0.42) pixels[y * (width + 1) + 1 + x] = 0
    }
  }
  return png(width, height, deflateSync(pixels))
}

/** A PNG of one byte a pixel, whatever its data unpacks to. */
export function png(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length)
  bytes.write(name, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/** A PDF of one page with these lines. */
export function pdfOf(lines: readonly string[]): Buffer {
  const content = `BT /F1 12 Tf 50 750 Td 16 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R/Size 6>>\n%%EOF\n`)
}
