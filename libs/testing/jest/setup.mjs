import { testServers } from '../../servers/src/test-servers.ts'

/** Runs before the first suite that needs servers; workers inherit the addresses through the environment. */
export default async function setup() {
  await testServers()
}
