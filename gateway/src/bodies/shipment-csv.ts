import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { ShipmentRow } from '@svc/contracts/order/v1/shipment_service'
import { type ServiceError, validationError } from '@svc/errors'
import { CsvError, parse } from 'csv-parse'
import { MAX_ROWS } from './shipment.ts'

const REQUIRED = ['recipient_name', 'recipient_phone', 'dropoff_address'] as const
const COLUMNS = [
  ...REQUIRED,
  'dropoff_lat',
  'dropoff_lng',
  'package_description',
  'external_order_id',
  'scheduled_pickup_at',
  'delivery_window_start',
  'delivery_window_end',
] as const
type Column = (typeof COLUMNS)[number]

/** Longer than any cell may be: of a longer one no more is passed on, so that it is refused for its length alone. */
const CELL_LENGTH = 4_000
const CHUNK_BYTES = 64 * 1024
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The rows of a file, one after the other. Throws for what keeps the file from being read, naming the row, the first of
 * which is 1; a row with too many or too few columns says so of itself. A cell is text, whatever it begins with.
 */
export async function* csvRows(file: Buffer): AsyncGenerator<ShipmentRow> {
  // Byte by byte, so that it is known in which row bytes stand that are no text.
  const parser = parse({
    encoding: 'latin1',
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  let header: Column[] | undefined
  let row = 0
  try {
    for await (const cells of Readable.from(chunksOf(file)).pipe(parser) as AsyncIterable<string[]>) {
      if (!header) {
        header = headerOf(textsOf(cells, 0))
        continue
      }
      row += 1
      if (row > MAX_ROWS) throw fault('max', `The file has more than ${MAX_ROWS} rows.`, MAX_ROWS)
      yield rowOf(header, textsOf(cells, row))
    }
  } catch (error) {
    // Rows that were read before it may not have come out yet: the parser has counted them, and the header.
    if (error instanceof CsvError)
      throw fault('csv', `${nameOf(Number(error.records))} is not valid CSV: its quotes do not match.`)
    throw error
  }
  if (!header) headerOf([])
}

/** Between two of them others have their turn: the parser takes a while for all of a file. */
async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  const start = file.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  for (let at = start; at < file.length; at += CHUNK_BYTES) {
    yield file.subarray(at, at + CHUNK_BYTES)
    await setImmediate()
  }
}

function rowOf(header: readonly Column[], texts: readonly string[]): ShipmentRow {
  if (texts.length !== header.length)
    return { unreadable: `The row has ${texts.length} columns, the header ${header.length}.` }
  const read: ShipmentRow = {}
  for (const [nth, name] of header.entries()) read[name] = (texts[nth] as string).slice(0, CELL_LENGTH)
  return read
}

/** The cells of a row as text, judged all at once: a file may have millions of them in one row. */
function textsOf(cells: readonly string[], row: number): string[] {
  const bytes = Buffer.from(cells.join('\0'), 'latin1')
  if (!isUtf8(bytes)) throw fault('invalid_utf8', `${nameOf(row)} is not valid UTF-8.`)
  const texts = bytes.toString('utf8').split('\0')
  // What was put between the cells was in one of them, too.
  if (texts.length !== cells.length) throw fault('nul_character', `${nameOf(row)} holds a NUL character.`)
  return texts
}

const nameOf = (row: number): string => (row === 0 ? 'The header' : `Row ${row}`)

function headerOf(cells: readonly string[]): Column[] {
  const names = cells.map((cell) => cell.trim())
  // An answer stays short, however long the header is.
  const quoted = (list: readonly string[]) =>
    [...new Set(list)]
      .slice(0, 20)
      .map((name) => `"${name.slice(0, 100)}"`)
      .join(', ')
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (missing.length > 0) throw fault('header', `The header lacks ${quoted(missing)}.`)
  const unknown = names.filter((name) => !COLUMNS.includes(name as Column))
  if (unknown.length > 0) throw fault('header', `The header has unknown columns: ${quoted(unknown)}.`)
  const seen = new Set<string>()
  const twice = names.filter((name) => seen.size === seen.add(name).size)
  if (twice.length > 0) throw fault('header', `The header names ${quoted(twice)} twice.`)
  return names as Column[]
}

const fault = (rule: string, message: string, limit?: number): ServiceError =>
  validationError([{ field: 'file', rule, message, ...(limit !== undefined && { limit }) }])
