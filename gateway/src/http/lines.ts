import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from '@svc/exact-json'
import { shownAs } from '@svc/public-bodies'
import * as z from 'zod'

export const NDJSON = 'application/x-ndjson'

type Rows<T> = AsyncIterable<T>

const isRows = (body: unknown): body is Rows<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** A body of one JSON object per line, each as its schema declares it; rows are asked for as they are sent. */
export const lines = <S extends z.ZodType>(row: S): z.ZodType<Rows<z.output<S>>, Rows<z.input<S>>> =>
  z.preprocess(
    (rows) => (isRows(rows) ? parsed(rows, row) : rows),
    shownAs(z.custom<Rows<z.output<S>>>(isRows).meta({ override: { type: 'object' } }), row),
  ) as never

async function* parsed<S extends z.ZodType>(rows: Rows<unknown>, row: S): AsyncGenerator<z.output<S>> {
  for await (const one of rows) yield row.parse(one)
}

/**
 * Sends rows no faster than their reader takes them: the next are asked for once those before have left, and none once the
 * reader has gone. What fails on the way, the time included, cuts the body off, so that no part of it passes for the whole.
 */
export async function sendLines(
  response: ServerResponse,
  status: number,
  rows: unknown,
  endsAtMs: number,
): Promise<void> {
  if (!isRows(rows)) throw new TypeError('a body of lines has no rows')
  response.statusCode = status
  response.setHeader('Content-Type', NDJSON)
  const signal = AbortSignal.timeout(Math.max(0, endsAtMs - Date.now()))
  await pipeline(Readable.from(texts(rows)), response, { signal }).catch((error: NodeJS.ErrnoException) => {
    if (!READER_LEFT.has(error.code)) throw error
  })
}

/** The reader closed, or took longer than there was time: nothing of ours failed. */
const READER_LEFT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'] as Array<string | undefined>)

async function* texts(rows: Rows<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${stringify(row)}\n`
}
