import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A step of a verification, as far as its outcome depends on it. */
interface Judged {
  name: string
  command: string
  args: readonly string[]
  /** Of which files its outcome depends, by their paths; of all unless told. */
  inputs?: (path: string) => boolean
}

interface Verified {
  /** Whether the step passed when all that it depends on was as it is now. */
  isUnchanged(step: Judged): boolean
  /** Keeps that it passed, or forgets that it once did. */
  record(step: Judged, ok: boolean): void
}

/** What passed in this clone, in a file; nothing is known of a folder that git does not know. */
export function verified(root: string, file: string): Verified {
  const files = filesOf(root)
  const passed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  const stateOf = ({ command, args, inputs = () => true }: Judged): string | undefined => {
    if (!files) return undefined
    const hash = createHash('sha256').update(JSON.stringify([process.version, command, args]))
    for (const [path, content] of files) if (inputs(path)) hash.update(`${path}\0${content}\0`)
    return hash.digest('hex')
  }
  return {
    isUnchanged: (step) => files !== undefined && passed[step.name] === stateOf(step),
    record(step, ok) {
      const state = stateOf(step)
      if (ok && state) passed[step.name] = state
      else delete passed[step.name]
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(passed))
    },
  }
}

/** The hash of each file that git tracks or would, as it was when this was asked: a file saved meanwhile was not judged. */
function filesOf(root: string): Map<string, string> | undefined {
  try {
    const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], options)
    const paths = [...new Set(listed.split('\0'))]
      .filter((path) => path !== '' && existsSync(join(root, path)))
      .toSorted()
    const hashOf = (path: string) =>
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')
    return new Map(paths.map((path) => [path, hashOf(path)]))
  } catch {
    return undefined
  }
}
