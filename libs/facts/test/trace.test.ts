import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { eventually, testServers, uniquePrefix } from '@svc/testing'
import { parcelService } from '../../transact/test/parcel-service.ts'

interface Span {
  trace_id: string
  span_id: string
  parent_span_id?: string
  name: string
  scope: string
}
interface Output {
  origins: Record<string, string>
  seen: Array<{ how: string; name: string; traceparent: string; active?: string }>
}

test('a fact keeps the trace of the request that made it, through outbox, Kafka and consumer, however facts are batched', async () => {
  const service = await parcelService()
  try {
    const prefix = uniquePrefix()
    const traceFile = join(tmpdir(), `${prefix}trace.jsonl`)
    const child = fileURLToPath(new URL('trace-child.ts', import.meta.url))
    const register = fileURLToPath(import.meta.resolve('@svc/telemetry/register'))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', '--import', register, child],
      {
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          DATABASE_URL: service.dev.url,
          WORKER_URL: service.dev.workerUrl,
          TEST_KAFKA_BROKERS: (await testServers()).kafkaBrokers.join(','),
          PREFIX: prefix,
          TRACE_FILE: traceFile,
          LOG_LEVEL: 'error',
        },
      },
    )
    const { origins, seen } = JSON.parse(stdout) as Output
    const spans = await eventually(async () => {
      const text = await readFile(traceFile, 'utf8')
      const read = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Span)
      return read.filter((span) => span.name.startsWith('process ')).length >= 4 && read
    })
    expect(origins['first']).not.toBe(origins['second'])
    for (const name of ['first', 'second']) {
      const traceId = origins[name]
      const ofTrace = (spans as Span[]).filter((span) => span.trace_id === traceId)
      const sent = ofTrace.filter(({ scope, name: of }) => scope === '@svc/kafka' && of.startsWith('send '))
      expect(sent).toHaveLength(1)
      const processed = ofTrace.filter(({ scope, name: of }) => scope === '@svc/kafka' && of.startsWith('process '))
      expect(processed.map((span) => span.parent_span_id)).toEqual([sent[0]!.span_id, sent[0]!.span_id])
      const statements = ofTrace.filter((span) => span.scope === '@opentelemetry/instrumentation-pg')
      expect(statements.some((span) => processed.some(({ span_id }) => span_id === span.parent_span_id))).toBe(true)

      const handled = seen.filter((one) => one.name === name)
      expect(handled.map((one) => one.traceparent.split('-')[1])).toEqual([traceId, traceId])
      expect(handled.find((one) => one.how === 'singly')?.active).toBe(traceId)
    }
  } finally {
    await service.close()
  }
})
