/**
 * Loaded where spans have a destination: starts the SDK. The hooks come first and everything that might load an instrumented
 * module is imported dynamically after them; a static import would load it unpatched.
 */
import { register } from 'import-in-the-middle/register-hooks.mjs'
import { onShutdown, shutdownTelemetry } from './shutdown.ts'

register({
  include: ['express', 'pg', 'ioredis', 'http', 'https', 'node:http', 'node:https', 'undici'],
})

const [{ NodeSDK }, { envDetector, hostDetector }, { instrumentations }, { spanProcessors }, { TracePropagator }] =
  await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/resources'),
    import('./instrumentations.ts'),
    import('./span-processors.ts'),
    import('./trace-propagator.ts'),
  ])

const sdk = new NodeSDK({
  instrumentations: instrumentations(),
  spanProcessors: spanProcessors(process.env),
  textMapPropagator: new TracePropagator(),
  resourceDetectors: [envDetector, hostDetector],
  metricReaders: [],
  logRecordProcessors: [],
})
sdk.start()
onShutdown(() => sdk.shutdown())
process.once('beforeExit', () => void shutdownTelemetry())
