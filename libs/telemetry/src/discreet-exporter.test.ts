import { expect, test } from '@jest/globals'
import { SpanStatusCode } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { discreetExporter } from './discreet-exporter.ts'

test('a span tells its route, statement and outcome, and no path, query, value or message', async () => {
  const exported: ReadableSpan[] = []
  const exporter = discreetExporter({
    export(spans, done) {
      exported.push(...spans)
      done({ code: ExportResultCode.SUCCESS })
    },
    async shutdown() {},
  })
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const span = provider.getTracer('test').startSpan('GET /v1/tracking/:token', {
    attributes: {
      'http.route': '/v1/tracking/:token',
      'url.path': '/v1/tracking/canary',
      'url.full': 'https://merchant.example/?canary',
      'attribute.of.tomorrow': 'canary',
      'db.system.name': 'postgresql',
      'db.query.text': "INSERT INTO users VALUES ('canary', $1)",
    },
  })
  span.recordException(new TypeError('invalid input: canary'))
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'canary' })
  span.end()
  await provider.forceFlush()

  const [told] = exported
  expect(JSON.stringify([told?.attributes, told?.events, told?.status])).not.toContain('canary')
  expect(told?.attributes).toEqual({
    'http.route': '/v1/tracking/:token',
    'db.system.name': 'postgresql',
    'db.query.text': 'INSERT INTO users VALUES (?, $1)',
  })
  expect(told?.events.map(({ attributes }) => attributes)).toEqual([{ 'exception.type': 'TypeError' }])
  expect(told?.status).toEqual({ code: SpanStatusCode.ERROR })
})
