import { type Mesh, mesh } from '@svc/testing'

/** Runs a scenario in a mesh of which everything may be killed, its servers too. */
export async function inOwnMesh<T>(environment: Record<string, string>, scenario: (system: Mesh) => Promise<T>) {
  const system = await mesh({ ownServers: true, spans: false, environment })
  try {
    return await scenario(system)
  } finally {
    await system.stop()
  }
}
