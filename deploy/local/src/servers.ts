// The servers and databases of a local run without its processes, for Tilt, which runs those.
import { progress } from './progress.ts'
import { runUntilStopped } from './run-until-stopped.ts'
import { markReady, startLocalServers } from './start-servers.ts'

await runUntilStopped(async (session) => {
  await startLocalServers(session)
  markReady(session)
  progress('the servers are ready')
})
