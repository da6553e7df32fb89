import { readdirSync } from 'node:fs'
import { join } from 'node:path'
// By their paths: the setup of jest runs without the condition `source`, by which packages of the workspace are found.
import { type KeptProcess, keepProcess } from '../../servers/src/kept-process.ts'
import { testServers } from '../../servers/src/test-servers.ts'
import type { MeshOptions, RunningMesh } from './mesh.ts'

const variableOf = (suite: string) => `TEST_MESH_${suite.toUpperCase()}`
let keeper: KeptProcess | undefined

/** Starts the mesh that all files of a suite share, in its global setup: workers inherit where it is. */
export async function startSharedMesh(suite: string, options: MeshOptions = {}): Promise<void> {
  await testServers()
  keeper = keepProcess(['--conditions=source', 'libs/testing/src/mesh-keeper.ts', JSON.stringify(options)])
  process.env[variableOf(suite)] = await keeper.line
}

export async function stopSharedMesh(): Promise<void> {
  await keeper?.end()
}

/** The mesh of a suite, where its files bring merchants, riders and phones of their own and kill nothing. */
export function sharedMesh(suite: string): RunningMesh {
  const told = process.env[variableOf(suite)]
  if (!told) throw new Error(`no mesh of ${suite} runs: startSharedMesh belongs into the global setup of its suite`)
  const running = JSON.parse(told) as RunningMesh
  const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
  return {
    ...running,
    logFiles: () => filesIn(join(running.folder, 'logs')),
    traceFiles: () => filesIn(join(running.folder, 'spans')),
  }
}
