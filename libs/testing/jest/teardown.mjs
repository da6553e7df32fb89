import { stopTestServers } from '../src/servers.ts'

export default async function teardown() {
  await stopTestServers()
}
