import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { endOfLog, type KeptRunning } from '@svc/servers'
import { type MeshProcess, replicaName } from './find-processes.ts'
import type { MeshSettings } from './settings.ts'

export type RunningProcess = KeptRunning & { logFile: string }

const ENDS_BEFORE_GIVING_UP = 3
const TIMEOUT_MS = 90_000
const POLL_MS = 150

/** Resolves when the process says that it is ready; rejects when it keeps ending instead, or takes too long. */
export async function untilReady(
  process: MeshProcess,
  running: RunningProcess,
  settings: MeshSettings,
  signal: AbortSignal,
): Promise<void> {
  const until = Date.now() + TIMEOUT_MS
  while (!(await isReady(process, settings))) {
    signal.throwIfAborted()
    if (running.ends() >= ENDS_BEFORE_GIVING_UP) throw notReady(process, running, 'does not start')
    if (Date.now() > until) throw notReady(process, running, `is not ready after ${TIMEOUT_MS} ms`)
    await wait(POLL_MS)
  }
}

function notReady(process: MeshProcess, { logFile }: RunningProcess, why: string): Error {
  return new Error(`${replicaName(process)} ${why}. The end of ${logFile}:\n${endOfLog(logFile)}`)
}

function isReady(process: MeshProcess, settings: MeshSettings): Promise<boolean> {
  const port = settings.ports[process.kind === 'providers' ? process.name : `${replicaName(process)}.ops`] as number
  if (process.kind === 'providers') return listens(port)
  return fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    async (answer) => {
      const { status } = (await answer.json()) as { status?: string }
      // A gateway that cannot reach a service yet serves what it can: a wait for the mesh is one for all of it.
      const waitsForAll = process.kind === 'gateway' && !settings.without?.length
      return answer.status === 200 && (!waitsForAll || status === 'ok')
    },
    () => false,
  )
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
