import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Records a process so that it is recognised later even when its number has been given to another one. */
export function writePidFile(path: string, pid: number): void {
  writeFileSync(path, `${pid} ${startTimeOf(pid) ?? ''}\n`)
}

/** The recorded process, if it is still that process and still runs. */
export function livePid(path: string): number | undefined {
  const [pid, startTime] = read(path).trim().split(' ')
  if (!pid || !startTime || startTimeOf(Number(pid)) !== startTime) return undefined
  return Number(pid)
}

/** Ends the recorded process of an earlier run that was killed, and waits until it is gone. */
export async function endRecorded(path: string, signal: NodeJS.Signals, timeoutMs = 15_000): Promise<void> {
  const killAt = Date.now() + timeoutMs
  const recorded = livePid(path)
  if (recorded) process.kill(recorded, signal)
  for (let pid = recorded; pid; pid = livePid(path)) {
    if (Date.now() > killAt) process.kill(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  rmSync(path, { force: true })
}

/** Clock ticks since boot at which the process started: field 22 of its stat, counted after the name in brackets. */
function startTimeOf(pid: number): string | undefined {
  const fields = read(`/proc/${pid}/stat`)
  if (!fields) return undefined
  const [state, ...rest] = fields.slice(fields.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? undefined : rest[18]
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
