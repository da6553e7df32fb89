import { expect, test } from '@jest/globals'
import { defaultTextMapSetter, ROOT_CONTEXT } from '@opentelemetry/api'
import { TracePropagator } from './trace-propagator.ts'

const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'

test.each([
  // As gRPC metadata answers: a list, also where there is none.
  [[], { traceparent }],
  [['vendor=1'], { traceparent, tracestate: 'vendor=1' }],
])('a trace that came with tracestate %j goes on as %j', (tracestate, sent) => {
  const propagator = new TracePropagator()
  const received: Record<string, unknown> = { traceparent, tracestate }
  const context = propagator.extract(ROOT_CONTEXT, received, {
    get: (carrier, name) => (carrier as Record<string, string[]>)[name],
    keys: Object.keys,
  })
  const carrier = {}
  propagator.inject(context, carrier, defaultTextMapSetter)
  expect(carrier).toEqual(sent)
})
