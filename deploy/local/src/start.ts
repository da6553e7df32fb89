// `npm start`: the servers, the databases, every process of the mesh, the demo data; until it is told to stop.
// `--without order` leaves that process to whoever debugs it, and prints the command that runs it.
import { findProcesses, startProcesses } from '@svc/mesh'
import { commandByHand, leftOut } from './by-hand.ts'
import { keepRidersLive } from './keep-riders-live.ts'
import { root, stackFile } from './paths.ts'
import { progress } from './progress.ts'
import { runUntilStopped } from './run-until-stopped.ts'
import { screen } from './screen.ts'
import { seed } from './seed.ts'
import { writeStackFile } from './stack-file.ts'
import { startLocalServers } from './start-servers.ts'

const startedAt = Date.now()

await runUntilStopped(async (session) => {
  const left = leftOut(process.argv.slice(2), findProcesses(root))
  const settings = { ...(await startLocalServers(session)), without: left.map(({ name }) => name) }

  const names = settings.processes.map(({ name }) => name).filter((name) => !settings.without.includes(name))
  progress(`starting ${names.join(', ')}, seeding the demo data`)
  for (const one of left) progress(`${one.name} is yours to run:\n\n${commandByHand(one, root)}\n`)
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
