import { grpcClient, systemCaller } from '@svc/grpc'
import type { Upstream } from '../services.ts'

const SERVING = 1

// grpc.health.v1.Health: an empty request asks for the whole server; field 1 of the answer is its status.
const healthDefinition = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: (_request: unknown): Buffer => Buffer.alloc(0),
    requestDeserialize: (_bytes: Buffer): unknown => ({}),
    responseSerialize: (status: number): Buffer => Buffer.from([0x08, status]),
    responseDeserialize: (bytes: Buffer): number => bytes[1] ?? 0,
  },
} as const

export interface HealthProbe {
  /** Throws unless the service says that it serves. */
  probe(): Promise<void>
  close(): void
}

export function healthProbe(to: string, { address, secret }: Upstream): HealthProbe {
  const client = grpcClient(healthDefinition, { address, secret, from: 'gateway', to })
  return {
    async probe() {
      const status = await client.as(systemCaller('gateway'), { deadlineMs: 1_500 }).check({})
      if (status !== SERVING) throw new Error(`${to} does not serve`)
    },
    close: () => client.close(),
  }
}
