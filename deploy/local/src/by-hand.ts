import { join, relative } from 'node:path'
import { commandOf, type MeshProcess } from '@svc/mesh'

/** The processes that `--without order,wallet` leaves to whoever debugs them; throws at a name that no process bears. */
export function leftOut(args: readonly string[], processes: readonly MeshProcess[]): MeshProcess[] {
  const at = args.findIndex((word) => word === '--without' || word.startsWith('--without='))
  if (at < 0) return []
  const word = args[at] as string
  const names = (word.includes('=') ? word.slice(word.indexOf('=') + 1) : (args[at + 1] ?? '')).split(',')
  return names.map((name) => {
    const found = processes.find((process) => process.name === name)
    if (!found) throw new Error(`--without takes ${processes.map((process) => process.name).join(', ')}; not "${name}"`)
    return found
  })
}

/** The command that runs such a process in place of the one that was left out, open to a debugger. */
export function commandByHand(process: MeshProcess, root: string): string {
  const { command, args } = commandOf(process)
  const environment = `${command} --conditions=source ${join(root, 'deploy/local/src/print-env.ts')} ${process.name}`
  const folder = relative(root, process.folder)
  return `(cd ${join(root, folder)} && eval "$(${environment})" && exec ${command} --inspect ${args.join(' ')})`
}
