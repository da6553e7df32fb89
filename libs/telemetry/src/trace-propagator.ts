import type { Context, TextMapSetter } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'

/** W3C trace context without an empty tracestate, which gRPC metadata that has none would otherwise leave behind. */
export class TracePropagator extends W3CTraceContextPropagator {
  override inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    super.inject(context, carrier, {
      set(into, name, value) {
        if (value !== '') setter.set(into, name, value)
      },
    })
  }
}
