// `npm start`: the servers, the databases, every process of the mesh, the demo data; until it is told to stop.
import { startProcesses } from '@svc/mesh'
import { keepRidersLive } from './keep-riders-live.ts'
import { stackFile } from './paths.ts'
import { progress } from './progress.ts'
import { runUntilStopped } from './run-until-stopped.ts'
import { screen } from './screen.ts'
import { seed } from './seed.ts'
import { writeStackFile } from './stack-file.ts'
import { startLocalServers } from './start-servers.ts'

const startedAt = Date.now()

await runUntilStopped(async (session) => {
  const settings = await startLocalServers(session)

  progress(`starting ${settings.processes.map(({ name }) => name).join(', ')}, seeding the demo data`)
  const seeding = seed(settings)
  seeding.catch(() => {})
  const processes = await startProcesses(settings, progress, session.signal)
  session.onStop('the processes', () => processes.stop())
  await seeding
  session.signal.throwIfAborted()
  session.onStop('', keepRidersLive(settings))
  session.onStop('', writeStackFile(stackFile, settings))
  console.log(screen(settings, (Date.now() - startedAt) / 1000))
})
