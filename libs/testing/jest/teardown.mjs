import { stopTestServers } from '../../servers/src/test-servers.ts'
import { stopSharedMesh } from '../src/shared-mesh.ts'

export default async function teardown() {
  await stopSharedMesh()
  await stopTestServers()
}
