export type { Labels } from './labels.ts'
export { type Counter, type Histogram, metrics, renderMetrics } from './metrics.ts'
export { shutdownTelemetry } from './shutdown.ts'
export { currentTraceparent, inTrace, withRemoteParent } from './trace-context.ts'
