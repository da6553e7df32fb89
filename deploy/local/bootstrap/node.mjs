import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './workspace.mjs'

export const WORKSPACE_NODE = join(root, 'node_modules/.bin/node')

const OLDEST = [24, 11, 1]

/** An optional package that failed to install would fall back to the machine's Node without a word. */
export function assertWorkspaceNode() {
  let version = 'none'
  try {
    version = execFileSync(WORKSPACE_NODE, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  } catch {}
  const parts = version.split('.').map(Number)
  const difference = OLDEST.map((part, index) => (parts[index] ?? 0) - part).find((part) => part !== 0) ?? 0
  if (!(difference >= 0)) {
    throw new Error(
      `The workspace needs Node ${OLDEST.join('.')} or later from its own packages and has ${version}.\n` +
        'Remove node_modules and run the command again.',
    )
  }
}
