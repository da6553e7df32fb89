import { metrics } from '@svc/telemetry'

/** One record per call: the count by code, the errors and the duration of an rpc come from these two histograms. */
export const served = metrics.histogram('rpc_server_duration_ms', 'Duration of the calls that this process answered.')
export const called = metrics.histogram('rpc_client_duration_ms', 'Duration of the calls that this process made.')
