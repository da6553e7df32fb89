import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { programPath } from '../native.mjs'
import { endRecorded, writePidFile } from './pid-file.ts'

export interface ChildOptions {
  name: string
  command: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  logFile: string
  /** Where the process is recorded; a leftover recorded there is ended first. */
  pidFile: string
  /** The system user to run as; only root can choose. */
  user?: string
  /** What asks for a clean end. */
  stopSignal?: NodeJS.Signals
}

export interface Child {
  name: string
  pid: number
  running(): boolean
  /** Resolves with a sentence on how the process ended. */
  exited: Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Asks for a clean end, and forces it when that takes longer than `timeoutMs`. */
  stop(timeoutMs?: number): Promise<void>
}

/**
 * Starts a process in a session of its own: a Ctrl-C at the terminal does not reach it, so that parts stop in order;
 * and the kernel ends it when this process dies, however it dies.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const stopSignal = options.stopSignal ?? 'SIGTERM'
  await endRecorded(options.pidFile, stopSignal)
  mkdirSync(dirname(options.logFile), { recursive: true })
  const log = openSync(options.logFile, 'a')
  const [command, ...args] = boundToParent(options, stopSignal)
  const child = spawn(command as string, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  const exited = endOf(child, options.name)
  if (child.pid === undefined) throw new Error(await exited)
  const pid = child.pid
  writePidFile(options.pidFile, pid)

  const running = () => child.exitCode === null && child.signalCode === null
  const kill = (signal: NodeJS.Signals) => {
    if (running()) process.kill(pid, signal)
  }
  const stop = async (timeoutMs = 30_000) => {
    kill(stopSignal)
    const force = setTimeout(() => kill('SIGKILL'), timeoutMs)
    await exited
    clearTimeout(force)
  }
  return { name: options.name, pid, running, exited, kill, stop }
}

/** Waits until `check` holds; a process that ends first or takes too long is stopped and reported with its log's end. */
export async function whenReady(child: Child, logFile: string, check: () => Promise<boolean>, timeoutMs = 180_000) {
  const until = Date.now() + timeoutMs
  while (!(await check().catch(() => false))) {
    if (!child.running()) throw new Error(`${await child.exited}. The end of ${logFile}:\n${endOfLog(logFile)}`)
    if (Date.now() > until) {
      await child.stop()
      throw new Error(`${child.name} was not ready after ${timeoutMs} ms. The end of ${logFile}:\n${endOfLog(logFile)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The kernel tells nobody of a parent that had died before it was asked to. */
const UNLESS_ORPHANED = '[ "$PPID" = "$0" ] && exec "$@"'

function boundToParent(options: ChildOptions, signal: NodeJS.Signals): string[] {
  const plain = [options.command, ...options.args]
  const setpriv = programPath('setpriv')
  if (!setpriv) return plain
  const bound = [setpriv, `--pdeathsig=${signal.replace('SIG', '')}`, ...asUser(options.user)]
  return [...bound, '--', '/bin/sh', '-c', UNLESS_ORPHANED, String(process.pid), ...plain]
}

/** The arguments with which setpriv becomes that user. */
export function asUser(user: string | undefined): string[] {
  return user ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups'] : []
}

function endOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`))
    child.once('exit', (code, signal) => resolve(`${name} ended with ${signal ?? `exit code ${code}`}`))
  })
}

/** The end of a log, which mostly says why its process ended. */
export function endOfLog(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n')
}
