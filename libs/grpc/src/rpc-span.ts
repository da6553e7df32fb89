import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type ErrorCode, outcomeOf } from '@svc/errors'
import { currentTraceparent, mayRecordHere } from '@svc/telemetry'

const tracer = trace.getTracer('@svc/grpc')

/** The span of one call, over whichever transport it leaves. */
export interface ClientSpan {
  /** What the call carries, so that the other side continues the trace. */
  traceparent: string | undefined
  end(code: Code): void
}

type Code = ErrorCode | 'ok'

const attributesOf = (rpc: string) => {
  const [service, method] = rpc.split('/')
  return { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method }
}

/** Starts the span of a call below the active one. A span that goes nowhere would cost the call, and hide the one that a log line should name. */
export function clientSpan(rpc: string, to: string): ClientSpan {
  if (!mayRecordHere()) return { traceparent: currentTraceparent(), end: () => {} }
  const attributes = { ...attributesOf(rpc), 'peer.service': to }
  const span = tracer.startSpan(rpc, { kind: SpanKind.CLIENT, attributes })
  return {
    traceparent: traceparentOf(trace.setSpan(context.active(), span)),
    end: (code) => end(span, code),
  }
}

/** Runs the handler of a call in the span of that call; `codeOf` tells what the call was answered with. */
export async function inServerSpan<T>(rpc: string, work: () => Promise<T>, codeOf: (answer: T) => Code): Promise<T> {
  if (!mayRecordHere()) return work()
  const span = tracer.startSpan(rpc, { kind: SpanKind.SERVER, attributes: attributesOf(rpc) })
  const answer = await context.with(trace.setSpan(context.active(), span), work)
  end(span, codeOf(answer))
  return answer
}

/** A refusal is an answer. What is marked as an error here is kept of all traces, and who is on call reads it as one of ours. */
function end(span: Span, code: Code): void {
  if (code !== 'ok') span.setAttribute('error.type', code)
  if (outcomeOf(code) === 'server') span.setStatus({ code: SpanStatusCode.ERROR, message: code })
  span.end()
}

function traceparentOf(of: Context): string | undefined {
  const carrier: Record<string, string> = {}
  propagation.inject(of, carrier)
  return carrier['traceparent']
}
