import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { keepRunning, startChild } from '@svc/servers'
import { environmentOf } from './environment.ts'
import { conditionsOf, type MeshProcess, replicaName } from './find-processes.ts'
import { type RunningProcess, untilReady } from './readiness.ts'
import type { MeshSettings } from './settings.ts'

export interface RunningProcesses {
  /** Kills one process with SIGKILL unless told otherwise; it comes back by itself. */
  kill(name: string, signal?: NodeJS.Signals): void
  /** What a process finds in its environment beside the rest, or in its place, from its next start on. */
  tell(name: string, environment: Readonly<Record<string, string>>): void
  /** Stops the gateway first and then what it calls, each cleanly. */
  stop(): Promise<void>
}

/** The command that runs a process of the mesh in its folder. */
export function commandOf(process: MeshProcess): { command: string; args: string[] } {
  const telemetry = process.kind === 'providers' ? [] : ['--import', '@svc/telemetry/register']
  return { command: globalThis.process.execPath, args: [...conditionsOf(process), ...telemetry, process.entry] }
}

/** Starts every process that nobody else runs and resolves when all are ready; when one fails, all are stopped before it throws. */
export async function startProcesses(
  settings: MeshSettings,
  report: (line: string) => void,
  stopEarly?: AbortSignal,
): Promise<RunningProcesses> {
  const logFolder = join(settings.folder, 'logs')
  const running = new Map<MeshProcess, RunningProcess>()
  const told = new Map<MeshProcess, Record<string, string>>()
  mkdirSync(join(settings.folder, 'run'), { recursive: true })
  if (settings.traceFolder) mkdirSync(settings.traceFolder, { recursive: true })

  const stop = async () => {
    const order = ['gateway', 'service', 'providers'] as const
    for (const kind of order)
      await Promise.all([...running].filter(([process]) => process.kind === kind).map(([, part]) => part.stop()))
  }

  const start = async (process: MeshProcess) => {
    const logFile = join(logFolder, `${replicaName(process)}.log`)
    rmSync(logFile, { force: true })
    const options = {
      name: replicaName(process),
      ...commandOf(process),
      cwd: process.folder,
      logFile,
      pidFile: join(settings.folder, 'run', `${replicaName(process)}.pid`),
    }
    const env = () => ({ ...environmentOf(process, settings), ...told.get(process) })
    const startOnce = async () => ({ child: await startChild({ ...options, env: env() }) })
    const { child } = await startOnce()
    running.set(process, { ...keepRunning(child, startOnce, (line) => report(`${line} (log: ${logFile})`)), logFile })
  }

  const givingUp = new AbortController()
  const signal = AbortSignal.any([givingUp.signal, ...(stopEarly ? [stopEarly] : [])])
  try {
    for (const process of settings.processes) if (!settings.without?.includes(process.name)) await start(process)
    await Promise.all([...running].map(([process, part]) => untilReady(process, part, settings, signal)))
  } catch (error) {
    givingUp.abort()
    await stop()
    throw error
  }

  const find = (name: string) => {
    const found = [...running].find(([process]) => replicaName(process) === name)
    if (!found) throw new Error(`no process of the mesh is called ${name}`)
    return { process: found[0], part: found[1] }
  }
  return {
    stop,
    kill: (name, signal = 'SIGKILL') => find(name).part.kill(signal),
    tell: (name, environment) => {
      const { process } = find(name)
      told.set(process, { ...told.get(process), ...environment })
    },
  }
}
