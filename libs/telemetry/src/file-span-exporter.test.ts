import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { fileSpanExporter } from './file-span-exporter.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spans-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a span that is being written when its process ends is written by then', async () => {
  const file = join(folder, 'spans.jsonl')
  const exporter = fileSpanExporter(file)
  const begun = Promise.withResolvers<void>()
  const observed: typeof exporter = {
    ...exporter,
    export(spans, done) {
      exporter.export(spans, done)
      begun.resolve()
    },
  }
  const processor = new BatchSpanProcessor({ exporter: observed, scheduledDelayMillis: 1 })
  const provider = new TracerProvider({ spanProcessors: [processor] })
  provider.getTracer('test').startSpan('last').end()
  await begun.promise
  // What the processor has handed over it does not wait for.
  await provider.shutdown()
  expect(readFileSync(file, 'utf8')).toContain('"name":"last"')
})
