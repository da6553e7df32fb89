import { context, defaultTextMapGetter, defaultTextMapSetter, propagation, trace } from '@opentelemetry/api'

/** The W3C traceparent of the active span, to be stored beside a fact; undefined without a span. */
export function currentTraceparent(): string | undefined {
  if (!trace.getActiveSpan()) return undefined
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier, defaultTextMapSetter)
  return carrier['traceparent']
}

/** Runs `fn` so that spans it starts continue the trace of `traceparent`; without one they continue the active span. */
export function withRemoteParent<T>(traceparent: string | undefined, fn: () => T): T {
  if (traceparent === undefined) return fn()
  return context.with(propagation.extract(context.active(), { traceparent }, defaultTextMapGetter), fn)
}

/** The same where no instrumentation has taken the trace up; where one has, `fn` runs in its span. */
export function inTrace<T>(traceparent: string | undefined, fn: () => T): T {
  return trace.getActiveSpan() ? fn() : withRemoteParent(traceparent, fn)
}
