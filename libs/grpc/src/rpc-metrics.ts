import { type ErrorCode, outcomeOf } from '@svc/errors'
import { metrics } from '@svc/telemetry'

type Code = ErrorCode | 'ok'

const served = metrics.histogram('rpc_server_duration_seconds', 'Duration of the calls that this process answered.')
const servedCodes = metrics.counter('rpc_server_calls_total', 'Calls that this process answered, by code.')
const called = metrics.histogram('rpc_client_duration_seconds', 'Duration of the calls that this process made.')
const calledCodes = metrics.counter('rpc_client_calls_total', 'Calls that this process made, by code.')

// Durations by outcome and counts by code: buckets times codes would be most of what a process shows.

export function recordServed(rpc: string, code: Code, startedAt: number): void {
  served.record(secondsSince(startedAt), { rpc, outcome: outcomeOf(code) })
  servedCodes.add(1, { rpc, code })
}

export function recordCalled(rpc: string, to: string, code: Code, startedAt: number): void {
  called.record(secondsSince(startedAt), { rpc, to, outcome: outcomeOf(code) })
  calledCodes.add(1, { rpc, to, code })
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000
