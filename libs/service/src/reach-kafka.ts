import { once } from 'node:events'
import { connect } from 'node:net'

const TIMEOUT_MS = 1_000

/** Resolves when a broker accepts connections; rejects when none does. Sends nothing. */
export async function reachKafka(brokers: readonly string[]): Promise<void> {
  await Promise.any(brokers.map(reach))
}

async function reach(broker: string): Promise<void> {
  const { hostname: host, port } = new URL(broker.includes('://') ? broker : `tcp://${broker}`)
  const socket = connect({ host, port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  } finally {
    socket.destroy()
  }
}
