/**
 * Loaded where spans have no destination: none is recorded, which spares every request their cost. Ids are made, logged and
 * passed on nevertheless. Only webhooks to merchants need a client that is instrumented: requests, rpcs and facts name their
 * trace by themselves. It patches no module, so that no hook looks at each that is loaded.
 */
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { AlwaysOffSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { TracePropagator } from './trace-propagator.ts'

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new TracePropagator())
trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler() }))
new UndiciInstrumentation().enable()
