import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { root } from './paths.ts'

export interface Tool {
  command: string
  args: string[]
  /** Relative to the root. */
  cwd?: string
  env?: Record<string, string>
}

/** The environment in which a tool of the workspace finds the workspace's Node and its fellow tools first. */
export function toolEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`, ...more }
}

/** Runs one tool of the workspace to its end and keeps what it says. */
export async function runTool(tool: Tool): Promise<{ ok: boolean; output: string; seconds: number }> {
  const startedAt = performance.now()
  const child = spawn(tool.command, tool.args, {
    cwd: join(root, tool.cwd ?? '.'),
    env: toolEnvironment(tool.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { ok: code === 0, output, seconds: (performance.now() - startedAt) / 1000 }
}
